import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = '/sys/fs/cgroup'

/**
 * Puts this process, and what it starts from now on, on one side of the scales of processors. Where systemd runs the machine all but containers is
 * there by itself; where nothing has a cgroup each process weighs as much as all sites together, so that builds, which weigh less, hardly come
 * beside the tests that wait for them. Where that is not for us to do, tests only take longer.
 */
export async function enterOwnCgroup(): Promise<void> {
  const groups = await readFile('/proc/self/cgroup', 'utf8')
  // Of version 1, else of version 2, which has no names of controllers.
  const [, controllers = '', path] = /^\d+:(cpu|cpu,cpuacct):(.*)$/m.exec(groups) ?? /^0:():(.*)$/m.exec(groups) ?? []
  if (path !== '/') return
  const place = join(root, controllers, 'paneltests')
  await mkdir(place, { recursive: true })
    .then(() => writeFile(join(place, 'cgroup.procs'), String(process.pid)))
    .catch((error: unknown) => console.warn('The tests stay where they are among cgroups:', error))
}
