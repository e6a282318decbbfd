#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Descriptors 0, 1 and 2.
enum StandardDescriptors {
  /// Opens those that the caller closed on `/dev/null`. Otherwise the first socket would become
  /// standard output, and what the command prints would go to PostgreSQL.
  static func open() {
    while true {
      #if canImport(Glibc)
        let descriptor = Glibc.open("/dev/null", O_RDWR)
      #else
        let descriptor = Darwin.open("/dev/null", O_RDWR)
      #endif
      guard descriptor >= 0 else { return }
      if descriptor > 2 {
        close(descriptor)
        return
      }
    }
  }
}
