/** Files of lines, compressed and never changed again. */
export interface LineArchive {
  /** Writes a file under a name of its own until `publish`. Resolves with its hash once it is on the disk. */
  stage(name: string, lines: AsyncIterable<string>): Promise<string>
  /** Gives a staged file its name. It may have it already. */
  publish(name: string): Promise<void>
  /** What processes that were killed have left: publishes the staged files among `kept`, and removes others that nobody has written to since. */
  settleStaged(kept: readonly string[], since: Date): Promise<void>
  /** The hash of a file, published or not; undefined where there is none. */
  hash(name: string): Promise<string | undefined>
  /** The lines of a file that there is, published or not. */
  read(name: string): AsyncIterable<string>
}
