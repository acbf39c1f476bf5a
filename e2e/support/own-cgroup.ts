import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = '/sys/fs/cgroup'
const [weightOfVersion1, weightOfVersion2] = [
  ['cpu.shares', '205'],
  ['cpu.weight', '20']
] as const

/**
 * Moves this process and its children into a cgroup with the CPU weight of builds, so that tests do not starve builds.
 * Without permission, tests only take longer.
 */
export async function enterOwnCgroup(): Promise<void> {
  const groups = await readFile('/proc/self/cgroup', 'utf8')
  // cgroup v1, otherwise v2, which has no controller names.
  const [, controllers = '', path] = /^\d+:(cpu|cpu,cpuacct):(.*)$/m.exec(groups) ?? /^0:():(.*)$/m.exec(groups) ?? []
  if (path !== '/') return
  const place = join(root, controllers, 'paneltests')
  try {
    await mkdir(place, { recursive: true })
    const [file, weight] = controllers === '' ? weightOfVersion2 : weightOfVersion1
    await writeFile(join(place, file), weight).catch(() => {})
    await writeFile(join(place, 'cgroup.procs'), String(process.pid))
  } catch (error) {
    console.warn('The tests stay where they are among cgroups:', error)
  }
}
