import { readdir, readFile } from 'node:fs/promises'

/** Memory that a process of the panel and those below it have, without the programs that it starts: of Node.js alone. */
export async function residentBytes(pid: number): Promise<number> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => undefined)
    if (stat) parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
  }
  const isBelow = (one: number): boolean => one === pid || (parents.has(one) && one > 1 && isBelow(parents.get(one)!))
  let bytes = 0
  for (const one of parents.keys()) {
    if (!isBelow(one)) continue
    const status = await readFile(`/proc/${one}/status`, 'utf8').catch(() => '')
    if (/^Name:\s+(node|MainThread)/m.test(status)) bytes += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024
  }
  return bytes
}

/** Memory of its own, and its share of what it has in common with others; 0 of a process that has ended. */
export async function proportionalBytes(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '') // It has ended.
  return Number(/^Pss:\s+([0-9]+) kB$/m.exec(rollup)?.[1] ?? 0) * 1024
}
