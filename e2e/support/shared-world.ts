import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CertificateEnvironment, startCertificateEnvironment } from './certificate-environment.ts'
import { type GitHttpServer, startGitHttpServer } from './git-server.ts'
import { chooseMailPorts, type MailPorts } from './mail-panel.ts'
import { createHandMadeAuthority, type HandMadeAuthority } from './openssl.ts'
import { type Client, removePanel, type RunningPanel } from './panel.ts'
import { until } from './poll.ts'
import { kill, statusOf } from './processes.ts'
import { makeRootDirectory } from './root-directory.ts'
import { ownDatabases } from './shared-databases.ts'
import { containerPorts, freePort } from '../../packages/server/test/support/ports.ts'

/** A panel with everything enabled, shared by all test files of one worker; each test signs up its own accounts. */
export interface World extends CertificateEnvironment {
  git: GitHttpServer
  ports: MailPorts
  projects: string
  /** Trusted by imports of mailboxes, which may come from loopback. */
  importAuthority: HandMadeAuthority
  /** Four ports that projects can publish, and the one for TLS. */
  tcpPorts: { first: number; last: number }
  tcpTlsPort: number
  /** Changes settings of the panel; null takes one back. A file that changes one takes it back at its end. */
  change(variables: Record<string, string | null>): Promise<void>
}

/** Files that share a panel call it at their end, as each container costs processor time until the end of the run. */
export async function removeProjects(...clients: (Client | undefined)[]): Promise<void> {
  for (const client of clients) {
    if (client === undefined) continue
    const { projects } = await client.call<{ projects: { id: string }[] }>('GET', '/projects?limit=100')
    for (const { id } of projects) await client.call('DELETE', `/projects/${id}`)
  }
}

let started: Promise<World> | undefined

/** Started on the first call, ended by `removeSharedWorlds` after the run. */
export async function sharedWorld(): Promise<World> {
  const world = await (started ??= startWorld())
  // After a test that failed between its kill and its start.
  if (await hasEnded(world.panel.pid())) await world.panel.start()
  return world
}

interface Remains extends Pick<RunningPanel, 'dataDir' | 'instanceId'> {
  pid: number
  projects: string
}

const directoryVariable = 'TEST_SHARED_WORLDS'
const usual = { DEPLOY_DRAIN_SECONDS: '5' }

async function startWorld(): Promise<World> {
  const [git, mail, projects] = [await startGitHttpServer(), await chooseMailPorts(), await makeRootDirectory()]
  const { first } = await containerPorts()
  const [tcpPorts, tcpTlsPort] = [{ first, last: first + 3 }, await freePort()]
  const importAuthority = await createHandMadeAuthority(projects)
  const importAuthorityFile = join(projects, 'import-authority.pem')
  await writeFile(importAuthorityFile, importAuthority.rootPem)
  const environment = await startCertificateEnvironment({
    env: {
      ...ownDatabases,
      ...mail.env,
      // Reachable from containers, as on a server.
      HOST: '0.0.0.0',
      GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`,
      PANEL_DOMAIN: 'panel.hosting.test',
      PROJECTS_DIR: join(projects, 'projects'),
      SFTP_HOST: '127.0.0.1',
      BUILD_CONCURRENCY: '2',
      MAILBOX_IMPORT_ALLOW: '127.0.0.0/8,::1',
      MAILBOX_IMPORT_CA_FILE: importAuthorityFile,
      // Set below, because the environment's values cannot be changed.
      DEPLOY_DRAIN_SECONDS: '',
      REGISTRY_ALLOW: '127.0.0.1',
      DEFAULT_MAX_TCP_PORTS: 'unlimited',
      TCP_PORTS: `${tcpPorts.first}-${tcpPorts.last}`,
      TCP_TLS_PORT: String(tcpTlsPort)
    }
  })
  const { ann, panel } = environment
  const change = async (variables: Record<string, string | null>) => {
    await ann.call('PUT', '/system/settings', { variables: { ...usual, ...variables } })
  }
  const remember = async () => {
    const remains: Remains = { dataDir: panel.dataDir, instanceId: panel.instanceId, pid: panel.pid(), projects }
    await writeFile(join(process.env[directoryVariable]!, `${process.pid}.json`), JSON.stringify(remains))
  }
  await remember()
  await change({})
  const start = panel.start.bind(panel)
  panel.start = async (from) => {
    await start(from)
    await remember()
  }
  const more = {
    git,
    ports: mail.ports,
    projects: join(projects, 'projects'),
    importAuthority,
    tcpPorts,
    tcpTlsPort,
    change
  }
  // Not a copy: what a test sets, such as `ingress`, is read by the environment.
  return Object.assign(environment, more)
}

/** Runs before the workers start; resolves with a function that removes what they left. */
export async function prepareSharedWorlds(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'panel-worlds-'))
  process.env[directoryVariable] = directory
  return async () => {
    const names = await readdir(directory)
    await Promise.all(names.map(async (name) => removeWorld(JSON.parse(await readFile(join(directory, name), 'utf8')) as Remains))) // oxfmt-ignore
    await rm(directory, { recursive: true, force: true })
  }
}

async function removeWorld({ pid, projects, ...panel }: Remains): Promise<void> {
  kill(pid, 'SIGTERM')
  await until(
    () => hasEnded(pid),
    (ended) => ended
  )
  await removePanel(panel)
  await rm(projects, { recursive: true, force: true })
}

const hasEnded = (pid: number): Promise<boolean> =>
  statusOf(pid).then(
    ({ State }) => State?.startsWith('Z') === true,
    () => true
  )
