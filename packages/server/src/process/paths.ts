import { join } from 'node:path'
import type { Config } from '../config.ts'
import { makeMemoryDirectory } from './memory-directory.ts'
import { makeRuntimeDirectory, stateName } from './runtime-directory.ts'

type DataDirectory = Pick<Config, 'DATA_DIR'>
type ProjectsDirectory = Pick<Config, 'PROJECTS_DIR'>

export async function proxyDirectories(
  config: DataDirectory
): Promise<{ directory: string; runtimeDirectory: string; certificateDirectory: string }> {
  return {
    directory: join(config.DATA_DIR, 'proxy'),
    runtimeDirectory: await makeRuntimeDirectory(config.DATA_DIR),
    certificateDirectory: join((await makeMemoryDirectory(config.DATA_DIR)).path, 'proxy')
  }
}

/** On another machine. */
export const edgeDirectories = (config: DataDirectory): { directory: string; runtimeDirectory: string } => ({
  directory: join(config.DATA_DIR, 'edge'),
  runtimeDirectory: join('/run', `${stateName(config.DATA_DIR)}-edge`)
})

export async function dnsServerPaths(config: DataDirectory): Promise<{ directory: string; runtimeDirectory: string }> {
  const directory = join(programState(config), 'dns')
  const runtimeDirectory = isRoot() ? join(directory, 'run') : await makeRuntimeDirectory(config.DATA_DIR)
  return { directory, runtimeDirectory }
}

/** Directories of the mail servers' files, queue and mail; certificates with their keys are on tmpfs. */
export async function mailDirectories(
  config: DataDirectory
): Promise<{ directory: string; certificateDirectory: string }> {
  return {
    directory: join(programState(config), 'mail'),
    certificateDirectory: join((await makeMemoryDirectory(config.DATA_DIR)).path, 'mail')
  }
}

export const engineDirectory = (config: DataDirectory, { folder }: { folder: string }): string =>
  join(programState(config), folder)

/** Of the panel's own database servers (programs/postgresql.ts, programs/mariadb.ts). */
export const databaseDirectories = (config: DataDirectory): string[] =>
  ['postgresql', 'mysql'].map((folder) => engineDirectory(config, { folder }))

/** Files that are /etc/hosts in the containers of an account, by its uid. */
export const hostsDirectory = (config: DataDirectory): string => join(config.DATA_DIR, 'hosts')

/** Rules of the server's firewall, and what a change is reverted to. */
export const serverFirewallDirectory = (config: DataDirectory): string => join(programState(config), 'firewall')

/**
 * What the machine, or another one, uses when it starts, perhaps before DATA_DIR is there. Another machine can have a panel of its
 * own, with the same directories.
 */
export const startFile = (config: DataDirectory, name: string): string => join(machineState(config), name)

/** Keys and files for SFTP. Outside DATA_DIR, because sshd requires root-owned parent directories. */
export function sftpPaths(config: DataDirectory): { group: string; keysDirectory: string; serverDirectory: string } {
  const directory = machineState(config)
  return {
    group: `sftp-${stateName(config.DATA_DIR)}`,
    keysDirectory: join(directory, 'sftp-keys'),
    serverDirectory: join(directory, 'sftp')
  }
}

/** The panel's key for other machines. */
export const machineKeyDirectory = (config: DataDirectory): string => join(config.DATA_DIR, 'machines')

/** Of this machine in the encrypted network; on other machines, of which one can have a panel of its own, at the same path. */
export const tunnelKeyPath = (config: DataDirectory, interfaceName: string): string =>
  join(machineKeyDirectory(config), `${interfaceName}.key`)

/** Sockets of connections to other machines. */
export const connectionRoot = async (config: DataDirectory): Promise<string> =>
  join(await makeRuntimeDirectory(config.DATA_DIR), 'n')

export const panelSettingsPath = (config: DataDirectory): string => join(config.DATA_DIR, 'panel.env')

/** Directories that cannot be made again from the store. Their paths contain a hash of DATA_DIR. */
export const panelState = (config: DataDirectory & Pick<Config, 'SSH_KEYS_DIR'>) => ({
  mail: join(programState(config), 'mail', 'vmail'),
  keptMail: join(programState(config), 'mail', 'kept'),
  nameServer: join(programState(config), 'dns', 'db'),
  sftpServer: sftpPaths(config).serverDirectory,
  deployKeys: config.SSH_KEYS_DIR,
  auditArchive: auditArchiveDirectory(config)
})
/** Mailboxes while they are restored, on the file system of the mail. */
export const mailRestoring = (config: DataDirectory): string => join(programState(config), 'mail', 'restoring')

export type PanelState = ReturnType<typeof panelState>

/** Directory of all projects by id; everything of the host that a container can see is directly below. */
export const projectDirectories = (config: ProjectsDirectory): string => join(config.PROJECTS_DIR, 'by-id')

/** Path by id, independent of the project's name; used by the file manager and the container engine. */
export const projectDirectory = (config: ProjectsDirectory, projectId: string): string =>
  join(projectDirectories(config), projectId)

/** Of the embedded store. */
export const storeDirectory = (config: DataDirectory): string => join(config.DATA_DIR, 'postgres')

export const storeReservePath = (config: DataDirectory): string => join(config.DATA_DIR, 'store.reserve')

/** Database dumps and mount points of running backups. */
export const backupStaging = (config: DataDirectory): string => join(config.DATA_DIR, 'backups', 'stage')

/** Caches of restic; during a call also its keys. */
export const backupDirectory = (config: DataDirectory): string => join(config.DATA_DIR, 'backups', 'restic')

/** restic's caches, a directory per target. */
export const backupCache = (config: DataDirectory): string => join(backupDirectory(config), 'cache')

export const auditArchiveDirectory = (config: DataDirectory): string => join(config.DATA_DIR, 'audit-archive')

/** Staging area of the panel on the file system of the projects, so that finished files can be renamed into place. */
export const stagingRoot = (config: ProjectsDirectory): string => join(config.PROJECTS_DIR, 'staging')

/** Snapshots of projects that are served from their files, by uid; for the panel only. */
export const snapshotsDirectory = (config: ProjectsDirectory): string => join(config.PROJECTS_DIR, 'snapshots')

/** Files of projects that were restored for a drill; containers mount them. */
export const drillFiles = (config: ProjectsDirectory): string => join(stagingRoot(config), 'drills')

/** Temporary files of one process; emptied on start. Other parts of the staging area survive it. */
export const fileStoreStaging = (config: ProjectsDirectory): string => join(stagingRoot(config), 'files')

/** Programs with their own user cannot traverse a private DATA_DIR, so as root their state is outside it. */
export const programState = (config: DataDirectory): string => (isRoot() ? machineState(config) : config.DATA_DIR)

/** Directories on all file systems that user data is written to, except the container engine's. */
export const writtenDirectories = (config: DataDirectory & ProjectsDirectory): string[] => [
  ...new Set([config.PROJECTS_DIR, config.DATA_DIR, programState(config)])
]

const machineState = (config: DataDirectory): string => join('/var/lib', stateName(config.DATA_DIR))

const isRoot = (): boolean => process.getuid?.() === 0
