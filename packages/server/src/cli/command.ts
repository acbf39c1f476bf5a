/** What every command of `./panel` gets. */
export interface CommandContext {
  args: readonly string[]
  /** The checkout. */
  root: string
  env: Readonly<Record<string, string | undefined>>
}

/** One line of progress, on standard error, so that standard output stays for results. */
export function step(text: string): void {
  process.stderr.write(`· ${text}\n`)
}
