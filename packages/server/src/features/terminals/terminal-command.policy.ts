import type { Command } from '@panel/contract/runs'

/** Bash if the image has it, because it edits lines; otherwise its /bin/sh. */
const shell = ['/bin/sh', '-c', 'if command -v bash >/dev/null 2>&1; then exec bash; fi; exec /bin/sh']

/** The arguments that run in the container. */
export function argumentsOf(command: Command | undefined): readonly string[] {
  if (command === undefined) return shell
  return typeof command === 'string' ? ['/bin/sh', '-c', command] : command
}
