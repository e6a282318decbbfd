/// The SQL that this program sends, each in a file of its own under `SQL`, embedded in the binary.
///
/// The embedded bytes are UTF-8; `String(decoding:)` cannot fail on them.
public enum SQL {
  /// The migrations in their order: the version each brings, the oldest daemon that can work with
  /// it, and its statements.
  public static let migrations: [(version: Int, minimumDaemon: Int, statements: String)] = [
    (1, 1, text(PackageResources.migration_0001_queue_sql)),
    (2, 2, text(PackageResources.migration_0002_turns_sql)),
  ]

  /// What is replaced whole at every migration: functions, views, grants.
  public static let objects: [String] = [
    text(PackageResources.object_enqueue_sql),
    text(PackageResources.object_explanation_sql),
    text(PackageResources.object_request_sql),
    text(PackageResources.object_grants_sql),
  ]

  public static let attemptBegin = text(PackageResources.attempt_begin_sql)
  public static let attemptRecord = text(PackageResources.attempt_record_sql)
  public static let catalogColumn = text(PackageResources.catalog_column_sql)
  public static let checkDatabase = text(PackageResources.check_database_sql)
  public static let checkSchema = text(PackageResources.check_schema_sql)
  public static let drainPending = text(PackageResources.drain_pending_sql)
  public static let heldTake = text(PackageResources.held_take_sql)
  public static let heldUpdate = text(PackageResources.held_update_sql)
  public static let inboxAccept = text(PackageResources.inbox_accept_sql)
  public static let inboxClaim = text(PackageResources.inbox_claim_sql)
  public static let inboxReject = text(PackageResources.inbox_reject_sql)
  public static let instanceAdopt = text(PackageResources.instance_adopt_sql)
  public static let instanceStamp = text(PackageResources.instance_stamp_sql)
  public static let leaseReap = text(PackageResources.lease_reap_sql)
  public static let leaseRelease = text(PackageResources.lease_release_sql)
  public static let leaseRenew = text(PackageResources.lease_renew_sql)
  public static let overrideSet = text(PackageResources.override_set_sql)
  public static let pauseEnd = text(PackageResources.pause_end_sql)
  public static let pauseList = text(PackageResources.pause_list_sql)
  public static let pauseSet = text(PackageResources.pause_set_sql)
  public static let payloadForget = text(PackageResources.payload_forget_sql)
  public static let previewContext = text(PackageResources.preview_context_sql)
  public static let requestAbandon = text(PackageResources.request_abandon_sql)
  public static let requestCancel = text(PackageResources.request_cancel_sql)
  public static let requestClaim = text(PackageResources.request_claim_sql)
  public static let requestCustomer = text(PackageResources.request_customer_sql)
  public static let requestDecide = text(PackageResources.request_decide_sql)
  public static let requestExpire = text(PackageResources.request_expire_sql)
  public static let requestFate = text(PackageResources.request_fate_sql)
  public static let requestFind = text(PackageResources.request_find_sql)
  public static let requestFinish = text(PackageResources.request_finish_sql)
  public static let requestLoad = text(PackageResources.request_load_sql)
  public static let requestLock = text(PackageResources.request_lock_sql)
  public static let requestPromote = text(PackageResources.request_promote_sql)
  public static let requestRetry = text(PackageResources.request_retry_sql)
  public static let requestShow = text(PackageResources.request_show_sql)
  public static let ruleInspect = text(PackageResources.rule_inspect_sql)
  public static let statusInbox = text(PackageResources.status_inbox_sql)
  public static let statusLost = text(PackageResources.status_lost_sql)
  public static let statusOpen = text(PackageResources.status_open_sql)
  public static let statusRejected = text(PackageResources.status_rejected_sql)
  public static let statusStates = text(PackageResources.status_states_sql)

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
