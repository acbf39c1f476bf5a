import { containerEngine } from './container-engine.ts'
import { reverseProxy } from './haproxy.ts'
import { nameServer } from './knot.ts'
import { mariadb } from './mariadb.ts'
import { postgresql } from './postgresql.ts'
import type { Program } from './program.ts'
import { sftpServer } from './sshd.ts'
import { store } from './store.ts'

/** Every real program that the panel runs: each after those that it needs. */
export const programs: readonly Program[] = [
  store,
  containerEngine,
  postgresql,
  mariadb,
  sftpServer,
  nameServer,
  reverseProxy
]
