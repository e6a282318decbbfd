#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@main
enum Main {
  static func main() async {
    // libcurl shields no thread from it, and a write to a connection that the peer reset would end
    // the process.
    signal(SIGPIPE, SIG_IGN)
    StandardDescriptors.open()
    exit(await Commands.run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }
}
