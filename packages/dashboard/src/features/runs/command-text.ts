import type { Command } from '@panel/contract/runs'

/** Like RUN in a Dockerfile: a list in JSON runs without a shell, anything else is a shell line. */
export function parseCommand(text: string): Command {
  if (!text.startsWith('[')) return text
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list) && list.length > 0 && list.every((part) => typeof part === 'string')) return list
  } catch {
    // Also a shell line may start with a bracket: [ -f x ] && y
  }
  return text
}

export const commandText = (command: Command): string =>
  typeof command === 'string' ? command : JSON.stringify(command)
