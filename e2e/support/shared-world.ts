import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CertificateEnvironment, startCertificateEnvironment } from './certificate-environment.ts'
import { type GitHttpServer, startGitHttpServer } from './git-server.ts'
import { chooseMailPorts, type MailPorts } from './mail-panel.ts'
import { removePanel, type RunningPanel } from './panel.ts'
import { until } from './poll.ts'
import { kill, statusOf } from './processes.ts'
import { makeRootDirectory } from './root-directory.ts'
import { ownDatabases } from './shared-databases.ts'

/** A panel with everything enabled, shared by all test files of one worker; each test signs up its own accounts. */
export interface World extends CertificateEnvironment {
  git: GitHttpServer
  ports: MailPorts
  projects: string
}

let started: Promise<World> | undefined

/** Started on the first call, ended by `removeSharedWorlds` after the run. */
export const sharedWorld = (): Promise<World> => (started ??= startWorld())

interface Remains extends Pick<RunningPanel, 'dataDir' | 'instanceId'> {
  pid: number
  projects: string
}

const directoryVariable = 'TEST_SHARED_WORLDS'

async function startWorld(): Promise<World> {
  const [git, mail, projects] = [await startGitHttpServer(), await chooseMailPorts(), await makeRootDirectory()]
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
      BUILD_CONCURRENCY: '2'
    }
  })
  const { panel } = environment
  const remember = async () => {
    const remains: Remains = { dataDir: panel.dataDir, instanceId: panel.instanceId, pid: panel.pid(), projects }
    await writeFile(join(process.env[directoryVariable]!, `${process.pid}.json`), JSON.stringify(remains))
  }
  await remember()
  const start = panel.start.bind(panel)
  panel.start = async (from) => {
    await start(from)
    await remember()
  }
  // Not a copy: tests change `ingress`.
  return Object.assign(environment, { git, ports: mail.ports, projects: join(projects, 'projects') })
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
