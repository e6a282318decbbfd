public import AppStore
public import Decision
public import PostgreSQL

/// Adds up what a billing period cost, in the user's own tables.
public struct UsageReader: Sendable {
  private let sources: [CompiledSource]

  init(_ sources: [CompiledSource]) { self.sources = sources }

  /// One purchase to be read about; its values hold the customer.
  public struct Question: Sendable {
    public let values: PurchaseValues
    public let environment: AppStore.Environment
    /// Nil: the period does not tell in which time usage counts.
    public let window: UsageWindow?
    /// The database's clock.
    public let now: Instant

    public init(
      values: PurchaseValues, environment: AppStore.Environment, window: UsageWindow?, now: Instant
    ) {
      self.values = window.map(values.with) ?? values
      self.environment = environment
      self.window = window
      self.now = now
    }
  }

  /// What the sources said of one purchase.
  public struct Reading: Sendable {
    /// In the order of the configuration.
    public fileprivate(set) var sources: [SourceUsage]
    /// The first trouble that may heal by itself; nil when what is unknown will stay so.
    public fileprivate(set) var healing: String?
    /// Rows may still arrive until then.
    public fileprivate(set) var settlesAt: Instant?
    /// Others used up the time before its turn came.
    public fileprivate(set) var wasNotAsked = false
    /// It used up the time.
    public fileprivate(set) var tookAllTime = false
  }

  /// Whether a source wants rows to settle: then usage is counted until the signed date of the
  /// request, which does not move while it is waited for.
  public func settles(in environment: AppStore.Environment) -> Bool {
    sources.contains { $0.settle > .zero && $0.environments.contains(environment) }
  }

  /// Asks about a batch of purchases: for each all sources as one statement, in one round trip;
  /// then, source by source, about those whose statement failed.
  ///
  /// - Parameter alone: the one purchase of the batch used up the time of an earlier one: its
  ///   sources are asked one by one, each with its share of the time.
  /// - Throws: when nothing could be asked at all.
  public func read(
    _ questions: [Question], alone: Bool, batch: ReadOnlyBatch, on connection: inout Connection
  ) throws(PostgresError) -> [Reading] {
    let started = ContinuousClock.now
    let asked = questions.map(sources(for:))
    var readings = questions.map(prepared)
    var open = questions.indices.filter { !asked[$0].isEmpty }
    if !alone {
      var failed: [Int] = []
      var together: [(index: Int, statement: Statement)] = []
      for index in open {
        do throws(NamedQueryError) {
          together.append(
            (index, try CompiledSource.together(asked[index], questions[index].values)))
        } catch {
          failed.append(index)
        }
      }
      let results = try batch.run(together.map(\.statement), on: &connection)
      // A statement may have less time than the batch; then there is some for each of its sources.
      let left = batch.budget - (ContinuousClock.now - started)
      let leavesTime = left > batch.statementTimeout
      for ((index, _), result) in zip(together, results) {
        switch result {
        case .success(let rows):
          for (number, source) in asked[index].enumerated() {
            readings[index].take(source, rows.first, "_\(number)", questions[index])
          }
        case .failure(let error) where error.kind == .notRun: readings[index].wasNotAsked = true
        case .failure(let error) where error.ranOutOfTime && !leavesTime:
          readings[index].tookAllTime = true
        case .failure: failed.append(index)
        }
      }
      open = failed
    }
    let rest = batch.within(
      batch.budget - (ContinuousClock.now - started),
      shares: alone ? max(open.map { asked[$0].count }.max() ?? 1, 1) : 1)
    try readOneByOne(open, asked, questions, &readings, batch: rest, on: &connection)
    return readings
  }

  private func readOneByOne(
    _ open: [Int], _ asked: [[CompiledSource]], _ questions: [Question],
    _ readings: inout [Reading], batch: ReadOnlyBatch, on connection: inout Connection
  ) throws(PostgresError) {
    let statements = open.flatMap { index in
      asked[index].map { $0.statement(questions[index].values) }
    }
    var results = try batch.run(statements, on: &connection)[...]
    for index in open {
      for source in asked[index] {
        guard let result = results.popFirst() else { return }
        switch result {
        case .success(let rows): readings[index].take(source, rows.first, "", questions[index])
        case .failure(let error): readings[index].take(source, error)
        }
      }
    }
  }

  /// The sources that apply, whose rows have settled.
  private func sources(for question: Question) -> [CompiledSource] {
    guard let window = question.window else { return [] }
    return sources.filter {
      $0.environments.contains(question.environment) && window.until + $0.settle <= question.now
    }
  }

  /// What is known without asking: nothing, but for sources that do not apply.
  private func prepared(_ question: Question) -> Reading {
    var reading = Reading(sources: [])
    for source in sources {
      guard source.environments.contains(question.environment) else {
        reading.sources.append(SourceUsage(notApplicable: source.name))
        continue
      }
      reading.sources.append(
        SourceUsage(source: source.name, unknown: question.window == nil ? .noWindow : .settling))
      if let window = question.window, window.until + source.settle > question.now {
        reading.settlesAt = max(
          reading.settlesAt ?? window.until, window.until + source.settle)
      }
    }
    return reading
  }
}

extension UsageReader.Reading {
  fileprivate mutating func put(_ usage: SourceUsage) {
    guard let index = sources.firstIndex(where: { $0.source == usage.source }) else { return }
    sources[index] = usage
  }

  fileprivate mutating func take(
    _ source: CompiledSource, _ row: Row?, _ suffix: String, _ question: UsageReader.Question
  ) {
    guard let until = question.window?.until else { return }
    do throws(PostgresError) {
      let (usage, isStale) = try source.usage(row, suffix: suffix, until: until)
      put(usage)
      if isStale { healing = healing ?? "usage.\(source.name): not fresh enough yet" }
    } catch {
      put(SourceUsage(source: source.name, unknown: .noNumber))
    }
  }

  fileprivate mutating func take(_ source: CompiledSource, _ error: PostgresError) {
    if error.kind == .notRun { wasNotAsked = true }
    if error.mayHeal { healing = healing ?? "usage.\(source.name): \(error.summary)" }
    put(SourceUsage(source: source.name, unknown: Self.ignorance(error)))
  }

  private static func ignorance(_ error: PostgresError) -> SourceUsage.Ignorance {
    switch (error.kind, error.sqlState) {
    case (.timeout, _), (.notRun, _), (_, "57014"): .timeout
    case (.connection, _), (.readOnly, _), (.cancelled, _): .unavailable
    // insufficient_privilege is what row_security = off raises too, with these words.
    case (_, "42501") where error.message.contains("row-level security"): .hiddenRows
    case (_, "42501"): .permission
    case (_, let state): .error(sqlState: state ?? "unknown")
    }
  }
}
