import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = '/sys/fs/cgroup'
/** That of builds, as each version has it. */
const [weightOfVersion1, weightOfVersion2] = [
  ['cpu.shares', '205'],
  ['cpu.weight', '20']
] as const

/**
 * Puts this process, and what it starts from now on, on one side of the scales of processors, with the weight of the builds of one panel: what runs here
 * waits for them. Where nothing has a cgroup each process weighs as much as all sites together, and builds hardly come beside them. Where that
 * is not for us to do, tests only take longer.
 */
export async function enterOwnCgroup(): Promise<void> {
  const groups = await readFile('/proc/self/cgroup', 'utf8')
  // Of version 1, else of version 2, which has no names of controllers.
  const [, controllers = '', path] = /^\d+:(cpu|cpu,cpuacct):(.*)$/m.exec(groups) ?? /^0:():(.*)$/m.exec(groups) ?? []
  if (path !== '/') return
  const place = join(root, controllers, 'paneltests')
  try {
    await mkdir(place, { recursive: true })
    const [file, weight] = controllers === '' ? weightOfVersion2 : weightOfVersion1
    // Not there where the kernel's controller is not switched on.
    await writeFile(join(place, file), weight).catch(() => {})
    await writeFile(join(place, 'cgroup.procs'), String(process.pid))
  } catch (error) {
    console.warn('The tests stay where they are among cgroups:', error)
  }
}
