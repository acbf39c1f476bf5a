import { join } from 'node:path'
import type { Config } from '../config.ts'
import { makeMemoryDirectory } from './memory-directory.ts'
import { makeRuntimeDirectory, stateName } from './runtime-directory.ts'

type DataDirectory = Pick<Config, 'DATA_DIR'>
type ProjectsDirectory = Pick<Config, 'PROJECTS_DIR'>

/** Where the proxy's files and sockets lie. */
export async function proxyDirectories(
  config: DataDirectory
): Promise<{ directory: string; runtimeDirectory: string; certificateDirectory: string }> {
  return {
    directory: join(config.DATA_DIR, 'proxy'),
    runtimeDirectory: await makeRuntimeDirectory(config.DATA_DIR),
    certificateDirectory: join((await makeMemoryDirectory(config.DATA_DIR)).path, 'proxy')
  }
}

/** Where the name server's files and its socket lie; the DNSSEC keys are there too. */
export async function dnsServerPaths(config: DataDirectory): Promise<{ directory: string; runtimeDirectory: string }> {
  const directory = join(programState(config), 'dns')
  const runtimeDirectory = isRoot() ? join(directory, 'run') : await makeRuntimeDirectory(config.DATA_DIR)
  return { directory, runtimeDirectory }
}

/** Where the mail servers' files, the queue and all mail lie; certificates with their keys in memory. */
export async function mailDirectories(
  config: DataDirectory
): Promise<{ directory: string; certificateDirectory: string }> {
  return {
    directory: join(programState(config), 'mail'),
    certificateDirectory: join((await makeMemoryDirectory(config.DATA_DIR)).path, 'mail')
  }
}

/** Where a database engine's data lie. */
export const engineDirectory = (config: DataDirectory, { folder }: { folder: string }): string =>
  join(programState(config), folder)

/** The group of the SFTP accounts, and of the machine, since sshd takes nothing from a folder of somebody else: their keys, its own files. */
export function sftpPaths(config: DataDirectory): { group: string; keysDirectory: string; serverDirectory: string } {
  const directory = machineState(config)
  return {
    group: `sftp-${stateName(config.DATA_DIR)}`,
    keysDirectory: join(directory, 'sftp-keys'),
    serverDirectory: join(directory, 'sftp')
  }
}

/** Where every project is found by its id: all of the host that a container can have lies directly below. */
export const projectDirectories = (config: ProjectsDirectory): string => join(config.PROJECTS_DIR, 'by-id')

/** Found by the id, whatever the project's name is: where the file manager and the container engine go in. */
export const projectDirectory = (config: ProjectsDirectory, projectId: string): string =>
  join(projectDirectories(config), projectId)

/** The file that keeps room for the embedded store. */
export const storeReservePath = (config: DataDirectory): string => join(config.DATA_DIR, 'store.reserve')

/** Where entries of the audit log lie that are no longer in the store. */
export const auditArchiveDirectory = (config: DataDirectory): string => join(config.DATA_DIR, 'audit-archive')

/** What is put together before it takes its place in a project's directory, on the same file system: of the panel alone. */
export const stagingRoot = (config: ProjectsDirectory): string => join(config.PROJECTS_DIR, 'staging')

/** What is put together or sent within one process: emptied when the panel starts. Beside it lies what outlives a process. */
export const fileStoreStaging = (config: ProjectsDirectory): string => join(stagingRoot(config), 'files')

/**
 * Where programs keep their state that run as a user of their own when root starts them: they cannot pass through a DATA_DIR that is
 * private, as it should be, so it lies beside.
 */
const programState = (config: DataDirectory): string => (isRoot() ? machineState(config) : config.DATA_DIR)

/** Whose file systems what accounts have is written to, but for the container engine's. */
export const writtenDirectories = (config: DataDirectory & ProjectsDirectory): string[] => [
  ...new Set([config.PROJECTS_DIR, config.DATA_DIR, programState(config)])
]

const machineState = (config: DataDirectory): string => join('/var/lib', stateName(config.DATA_DIR))

const isRoot = (): boolean => process.getuid?.() === 0
