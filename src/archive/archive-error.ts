export type ArchiveErrorCode = 'newer-format' | 'damaged' | 'missing' | 'unsafe-name' | 'not-an-export' | 'too-large'

/** What keeps the archive from doing what it was asked to. The message is meant for a person. */
export class ArchiveError extends Error {
  readonly code: ArchiveErrorCode

  constructor(code: ArchiveErrorCode, message: string) {
    super(message)
    this.name = 'ArchiveError'
    this.code = code
  }
}
