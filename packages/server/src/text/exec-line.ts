/** Must not be replaced by a program, or have none. */
const shellWords = new Set('. : [ alias break case cd continue do done elif else esac eval exec exit export fi for getopts if local read readonly return set shift source test then trap true false ulimit umask unset until wait while { ! time'.split(' ')) // oxfmt-ignore

/** `A=1 B="x y" ` before a command. */
const assignments = /^(?:[A-Za-z_]\w*=(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])*(?:\s+|$))*/

/**
 * Lets the program of a shell line take the place of its shell, where that surely means the same: the shell of Debian
 * stays in between and does not pass on SIGTERM, so that the program would be killed without notice.
 */
export function execLine(line: string): string {
  const hasQuotes = /['"\\]/.test(line)
  const parts = hasQuotes ? [line] : line.split(/(&&|;)/)
  const last = parts.pop()!
  const isPlain = ![...parts.filter((part) => part !== '&&' && part !== ';'), last].some((part) => /[&|;<>(){}`#\n]/.test(part)) // oxfmt-ignore
  const command = last.trim()
  const [variables] = assignments.exec(command)!
  const [first = ''] = command.slice(variables.length).split(/\s+/)
  if (!isPlain || first === '' || shellWords.has(first)) return line
  return `${parts.join('')}${parts.length === 0 ? '' : ' '}exec ${variables === '' ? '' : 'env '}${command}`
}
