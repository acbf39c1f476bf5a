import { containerEngine } from './container-engine.ts'
import { imapServer } from './dovecot.ts'
import { reverseProxy } from './haproxy.ts'
import { nameServer } from './knot.ts'
import { mariadb } from './mariadb.ts'
import { mailSigner } from './opendkim.ts'
import { mailFilterStore } from './redis.ts'
import { mailFilter } from './rspamd.ts'
import { mailTransfer } from './postfix.ts'
import { postgresql } from './postgresql.ts'
import { mailRewriter } from './postsrsd.ts'
import type { Config } from '../config.ts'
import type { Program } from './program.ts'
import { sftpServer } from './sshd.ts'
import { store } from './store.ts'

export const programs: readonly Program[] = [
  store,
  containerEngine,
  postgresql,
  mariadb,
  sftpServer,
  nameServer,
  reverseProxy,
  imapServer,
  mailSigner,
  mailRewriter,
  mailFilterStore,
  mailFilter,
  mailTransfer
]

export const programsOf = (config: Config): Program[] => programs.filter(({ isUsed }) => isUsed?.(config) ?? true)
