import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { haproxyPaths } from '../../infra/reverse-proxy/haproxy-paths.ts'
import { mailPaths } from '../../infra/mail-server/mail-paths.ts'
import { panelLogPath } from '../../process/panel-log.ts'
import { dnsServerPaths, engineDirectory, mailDirectories, proxyDirectories, sftpPaths } from '../../process/paths.ts'

export interface LogPart {
  about: string
  files(config: Config): Promise<string[]>
  /** Its unit where systemd runs it: the journal then has what the files do not. */
  unit?: string
}

const mail = async (config: Config) => mailPaths(await mailDirectories(config))

/** What `./panel logs` and `./panel support` read, by the name used on the command line. */
export const logParts = {
  panel: { about: 'the panel', unit: 'panel.service', files: async (config) => [panelLogPath(config)] },
  web: { about: 'the process that serves the API', files: async ({ DATA_DIR }) => [join(DATA_DIR, 'web.log')] },
  store: {
    about: 'the embedded database',
    files: async ({ DATA_DIR }) => [join(DATA_DIR, 'postgres', 'postgres.log')]
  },
  engine: {
    about: 'the container engine',
    unit: 'docker.service',
    files: async ({ DATA_DIR }) => [join(DATA_DIR, 'dockerd.log')]
  },
  proxy: {
    about: 'the reverse proxy (HAProxy)',
    files: async (config) => {
      const { directory, runtimeDirectory, certificateDirectory } = await proxyDirectories(config)
      return [haproxyPaths(directory, runtimeDirectory, certificateDirectory).log]
    }
  },
  dns: {
    about: 'the name server (Knot)',
    files: async (config) => [join((await dnsServerPaths(config)).directory, 'knot.log')]
  },
  sftp: { about: 'the SFTP server', files: async (config) => [join(sftpPaths(config).serverDirectory, 'sshd.log')] },
  postgresql: {
    about: 'PostgreSQL of the projects',
    files: async (config) => [join(engineDirectory(config, { folder: 'postgresql' }), 'postgresql.log')]
  },
  mariadb: {
    about: 'MariaDB of the projects',
    files: async (config) => [join(engineDirectory(config, { folder: 'mysql' }), 'mariadb.log')]
  },
  postfix: {
    about: 'mail transfer (Postfix)',
    files: async (config) => {
      const { postfix } = await mail(config)
      return [postfix.mailLog, postfix.log]
    }
  },
  dovecot: { about: 'mailboxes (Dovecot)', files: async (config) => [(await mail(config)).dovecot.log] },
  rspamd: { about: 'the spam filter (Rspamd)', files: async (config) => [(await mail(config)).filter.log] },
  redis: { about: 'the spam filter’s store (Redis)', files: async (config) => [(await mail(config)).filterStore.log] },
  opendkim: { about: 'the DKIM signer (OpenDKIM)', files: async (config) => [(await mail(config)).dkim.log] },
  postsrsd: { about: 'sender rewriting (postsrsd)', files: async (config) => [(await mail(config)).srs.log] }
} as const satisfies Record<string, LogPart>

export type LogPartName = keyof typeof logParts
export const logPartNames = Object.keys(logParts) as LogPartName[]
