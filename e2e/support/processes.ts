import { readdir, readFile } from 'node:fs/promises'

/** The command lines of all processes of this machine, also of those in containers. */
export async function commandLines(): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const read = (id: string) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '') // Gone meanwhile.
  return (await Promise.all(ids.map(read))).map((line) => line.replaceAll('\0', ' ').trim())
}
