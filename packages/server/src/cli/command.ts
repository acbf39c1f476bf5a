export interface CommandContext {
  args: readonly string[]
  root: string
  env: Readonly<Record<string, string | undefined>>
}

let follower: ((text: string) => void) | undefined

/** Passes each step on as well, until called without a function. */
export function onStep(follow: ((text: string) => void) | undefined): void {
  follower = follow
}

export function step(text: string): void {
  follower?.(text)
  process.stderr.write(`· ${text}\n`)
}
