export interface CommandContext {
  args: readonly string[]
  root: string
  env: Readonly<Record<string, string | undefined>>
}

export function step(text: string): void {
  process.stderr.write(`· ${text}\n`)
}
