/// A key, a certificate file or a signature that cannot be used.
///
/// The message is written for the person who configured the file. It never holds key material.
public struct CryptoError: Error, Sendable, Equatable, CustomStringConvertible {
  public let message: String

  public init(message: String) {
    self.message = message
  }

  public var description: String { message }
}
