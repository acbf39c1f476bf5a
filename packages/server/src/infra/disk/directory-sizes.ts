import type { Run } from '../process/process.ts'

const timeoutMs = 10 * 60_000
const maxOutputBytes = 64 * 2 ** 20
/** du reads directories at the lowest priority for processor and disk, so that sites go first. */
const lowPriority = ['nice', '-n', '19', 'ionice', '-c', '3'] as const

/**
 * Bytes on disk of each directory. A file counts once: for the first of the directories that holds it, so list inner
 * ones before outer ones. Missing directories are skipped, and other file systems below one are not entered.
 */
export async function directorySizes(
  run: Run,
  directories: readonly string[],
  signal?: AbortSignal
): Promise<Map<string, number>> {
  if (directories.length === 0) return new Map()
  const options = ['--summarize', '--one-file-system', '--block-size=1', '--null', '--files0-from=-']
  // du exits with 1 and prints a line for each file that vanished meanwhile. Retrying could continue forever.
  const { stdout } = await run([...lowPriority, 'du', ...options], {
    input: directories.map((directory) => `${directory}\0`).join(''),
    timeoutMs,
    maxOutputBytes,
    exitCodes: [1],
    stderr: 'ignore',
    ...(signal && { signal })
  })
  return new Map(
    stdout
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => {
        const tab = line.indexOf('\t')
        return [line.slice(tab + 1), Number.parseInt(line.slice(0, tab), 10)]
      })
  )
}
