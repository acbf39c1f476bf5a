import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { haproxyPaths } from '../../infra/reverse-proxy/haproxy-paths.ts'
import { mailPaths } from '../../infra/mail-server/mail-paths.ts'
import { panelLogPath } from '../../process/panel-log.ts'
import { dnsServerPaths, engineDirectory, mailDirectories, proxyDirectories, sftpPaths } from '../../process/paths.ts'

interface PartFiles {
  logs: string[]
  /** Rendered configuration for support; no files that consist of keys. */
  configuration?: string[]
}

export interface LogPart {
  about: string
  files(config: Config): Promise<PartFiles>
  /** Its unit where systemd runs it: the journal then has what the files do not. */
  unit?: string
}

const proxyPaths = async (config: Config) => {
  const { directory, runtimeDirectory, certificateDirectory } = await proxyDirectories(config)
  return haproxyPaths(directory, runtimeDirectory, certificateDirectory)
}
const mail = async (config: Config) => mailPaths(await mailDirectories(config))
const filesIn = (directory: string, log: string, ...configuration: string[]): PartFiles => ({
  logs: [join(directory, log)],
  configuration: configuration.map((name) => join(directory, name))
})

/** What `./panel logs` and `./panel support` read, by the name used on the command line. */
export const logParts = {
  panel: { about: 'the panel', unit: 'panel.service', files: async (config) => ({ logs: [panelLogPath(config)] }) },
  web: { about: 'the process that serves the API', files: async ({ DATA_DIR }) => filesIn(DATA_DIR, 'web.log') },
  store: {
    about: 'the embedded database',
    files: async ({ DATA_DIR }) => filesIn(join(DATA_DIR, 'postgres'), 'postgres.log')
  },
  engine: {
    about: 'the container engine',
    unit: 'docker.service',
    files: async ({ DATA_DIR }) => filesIn(DATA_DIR, 'dockerd.log')
  },
  proxy: {
    about: 'the reverse proxy (HAProxy)',
    files: async (config) => {
      const { log, config: file, map } = await proxyPaths(config)
      return { logs: [log], configuration: [file, map] }
    }
  },
  dns: {
    about: 'the name server (Knot)',
    files: async (config) => filesIn((await dnsServerPaths(config)).directory, 'knot.log', 'knot.conf')
  },
  sftp: {
    about: 'the SFTP server (OpenSSH)',
    files: async (config) => filesIn(sftpPaths(config).serverDirectory, 'sshd.log', 'sshd_config')
  },
  postgresql: {
    about: 'PostgreSQL of the projects',
    files: async (config) =>
      filesIn(engineDirectory(config, { folder: 'postgresql' }), 'postgresql.log', 'postgresql.conf', 'pg_hba.conf')
  },
  mariadb: {
    about: 'MariaDB of the projects',
    files: async (config) => filesIn(engineDirectory(config, { folder: 'mysql' }), 'mariadb.log', 'mariadb.cnf')
  },
  postfix: {
    about: 'mail transfer (Postfix)',
    files: async (config) => {
      const { postfix } = await mail(config)
      return { logs: [postfix.mailLog, postfix.log], configuration: [postfix.main, postfix.master] }
    }
  },
  dovecot: {
    about: 'mailboxes (Dovecot)',
    files: async (config) => {
      const { dovecot } = await mail(config)
      return { logs: [dovecot.log], configuration: [dovecot.config] }
    }
  },
  rspamd: {
    about: 'the spam filter (Rspamd)',
    files: async (config) => {
      const { filter } = await mail(config)
      return { logs: [filter.log], configuration: [filter.config] }
    }
  },
  redis: {
    about: 'the store of the spam filter (Redis)',
    files: async (config) => {
      const { filterStore } = await mail(config)
      return { logs: [filterStore.log], configuration: [filterStore.config] }
    }
  },
  opendkim: {
    about: 'the DKIM signer (OpenDKIM)',
    files: async (config) => {
      const { dkim } = await mail(config)
      return { logs: [dkim.log], configuration: [dkim.config] }
    }
  },
  postsrsd: {
    about: 'sender rewriting (postsrsd)',
    files: async (config) => ({ logs: [(await mail(config)).srs.log] })
  }
} as const satisfies Record<string, LogPart>

export type LogPartName = keyof typeof logParts
export const logPartNames = Object.keys(logParts) as LogPartName[]
