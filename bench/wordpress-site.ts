import { readFile } from 'node:fs/promises'
import type { Project } from '@panel/contract/projects'
import { buildImage, docker } from '../e2e/support/engine.ts'
import { until } from '../e2e/support/poll.ts'
import { type Browser, installWordpress, logIn, openBrowser } from '../e2e/support/wordpress.ts'
import type { Client, RunningPanel } from './panel.ts'

export interface MeasuredSite {
  host: string
  containerId: string
}

export interface PlainApache {
  url: string
  container: string
}

const size = { memoryMb: 512, cpus: 1, pids: 256, diskMb: null }

/** A new WordPress that is installed, with the page cache. */
export async function startSite(panel: RunningPanel, user: Client, name: string): Promise<MeasuredSite> {
  const { id } = await user.createProject({ name, type: 'WORDPRESS', size, pageCache: true })
  await user.mustRun(id)
  const host = `${name}.apps.localhost:${panel.proxyPort}`
  const browser = openBrowser({ port: panel.proxyPort, hostname: host })
  await installWordpress(browser, name)
  await visitDashboard(browser)
  const { containerId } = await user.call<Project>('GET', `/projects/${id}`)
  return { host, containerId: containerId! }
}

/** Its code is in the opcode cache from then on. */
async function visitDashboard(browser: Browser): Promise<void> {
  const { status } = await browser.get('/wp-admin/')
  if (status !== 200) throw new Error(`wp-admin answered ${status}`)
}

interface Inspected {
  Config: { Env: string[]; User: string }
  HostConfig: { NetworkMode: string }
  Mounts: { Type: string; Source: string; Destination: string }[]
  NetworkSettings: { Networks: Record<string, { IPAddress: string }> }
  State: { Pid: number }
}

const inspect = async (container: string): Promise<Inspected> =>
  (JSON.parse(await docker('inspect', container)) as [Inspected])[0]

const plainImage = 'panel-test-plain-apache:1'

/** Debian's Apache with its PHP module, as its packages configure them. */
export const buildPlainApache = () =>
  buildImage(plainImage, 'FROM php:8.4-fpm\nRUN apt-get update -qq && apt-get install -y -qq libapache2-mod-php\n')

/** Serves the files and the database of a site, with the same limits and as the same user. */
export async function startPlainApache({ containerId, host }: MeasuredSite): Promise<PlainApache> {
  const { Config, HostConfig, Mounts } = await inspect(containerId)
  const database = Config.Env.filter((each) => /^DB_/.test(each))
  const directories = ['RUN_DIR', 'LOCK_DIR', 'LOG_DIR'].map((name) => `APACHE_${name}=/tmp`)
  const account = ['RUN_USER=www-data', 'RUN_GROUP=www-data', 'PID_FILE=/tmp/apache2.pid'].map(
    (each) => `APACHE_${each}`
  )
  const container = await docker(
    ...['run', '--detach', '--init', '--network', HostConfig.NetworkMode, '--user', Config.User],
    ...['--memory', `${size.memoryMb}m`, '--cpus', `${size.cpus}`, '--pids-limit', `${size.pids}`],
    ...['--sysctl', 'net.ipv4.ip_unprivileged_port_start=0'],
    ...Mounts.filter(({ Type }) => Type === 'bind').flatMap((each) => [
      '--volume',
      `${each.Source}:${each.Destination}`
    ]),
    ...[...database, ...directories, ...account].flatMap((each) => ['--env', each]),
    ...[plainImage, 'apache2', '-D', 'FOREGROUND']
  )
  try {
    const [network] = Object.values((await inspect(container)).NetworkSettings.Networks)
    const browser = openBrowser({ host: network!.IPAddress, port: 80, hostname: host })
    await until(() => browser.get('/').then(({ status }) => status, () => 0), (status) => status === 200) // oxfmt-ignore
    await logIn(browser)
    await visitDashboard(browser)
    return { url: `http://${network!.IPAddress}/`, container }
  } catch (error) {
    await removeContainers([{ container }])
    throw error
  }
}

export const removeContainers = (containers: readonly { container: string }[]) =>
  docker('rm', '--force', ...containers.map(({ container }) => container))

/** Memory of the container's cgroup without the page cache: that of its processes, and what they share, such as an opcode cache. */
export async function containerMemory(container: string): Promise<{ processes: number; shared: number }> {
  const { State } = await inspect(container)
  const lines = (await readFile(`/proc/${State.Pid}/cgroup`, 'utf8')).split('\n')
  const legacy = lines.find((line) => line.split(':')[1] === 'memory')?.split(':')[2]
  const unified = lines.find((line) => line.startsWith('0::'))?.slice(3)
  const [path, processes, shared] =
    legacy === undefined ? [unified, 'anon', 'shmem'] : [`memory${legacy}`, 'total_rss', 'total_shmem']
  const stat = await readFile(`/sys/fs/cgroup/${path}/memory.stat`, 'utf8')
  const bytesOf = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(stat)![1])
  return { processes: bytesOf(processes), shared: bytesOf(shared) }
}
