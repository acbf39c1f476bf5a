/** Compressed, immutable files of lines. */
export interface LineArchive {
  /** Writes a file under a temporary name until `publish`. Resolves with its SHA-256 once it is on disk. */
  stage(name: string, lines: AsyncIterable<string>): Promise<string>
  publish(name: string): Promise<void>
  /** After killed processes: publishes staged files in `kept`, removes others not modified since `since`. */
  settleStaged(kept: readonly string[], since: Date): Promise<void>
  hash(name: string): Promise<string | undefined>
  read(name: string): AsyncIterable<string>
}
