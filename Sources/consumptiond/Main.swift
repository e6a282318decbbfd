#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@main
enum Main {
  static func main() {
    // libcurl shields no thread from it, and a write to a connection that the peer reset would end
    // the process.
    signal(SIGPIPE, SIG_IGN)
    StandardDescriptors.open()
    let words = Array(CommandLine.arguments.dropFirst())
    // Before there is a second thread, which would take the signal where it finds it.
    if case .run? = try? ArgumentParser.parse(words) { Signals.hold() }
    Task.detached { exit(await Commands.run(words).rawValue) }
    // Not dispatchMain(): it keeps a thread that lets every signal in, to be ended by it.
    while true { pause() }
  }
}
