import { isMailDomain, assertMailDomain, parseMailbox } from './mail-names.ts'
import { createKeyedMutex } from '../../keyed-mutex.ts'
import type { Run } from '../process/process.ts'
import { doveadm as askDoveadm } from './doveadm.ts'
import { createDovecotUsers } from './dovecot-users.ts'
import { readLogins } from './dovecot-users.render.ts'
import { parseQuota } from './dovecot-answers.ts'
import { type MailDirectories, mailPaths } from './mail-paths.ts'
import type { MailPorts } from './mail-ports.ts'
import type { MailServer } from './mail-server.ts'
import { askDovecot, askPostfix } from './mail-probes.ts'
import { probeMailServer } from './mail-server-probe.ts'
import { createMaildirStore } from './maildir-store.ts'
import { createPostfixMaps } from './postfix-maps.ts'
import { emptyEntries, renderMapEntries } from './postfix-maps.render.ts'
import { createSieveScripts } from './sieve-scripts.ts'
import { createTrailingCall } from './trailing-call.ts'

interface MailServerOptions extends MailDirectories {
  run: Run
  ports: MailPorts
  /** For each command to a server. Default 15 s. */
  commandTimeoutMs?: number
}

const reloadEveryMs = 3_000

/** Dovecot and Postfix as the panel runs them (programs/dovecot.ts, programs/postfix.ts), by their files and their own tools. */
export function createMailServer(options: MailServerOptions): MailServer {
  const { run, ports, commandTimeoutMs = 15_000 } = options
  const paths = mailPaths(options)
  const users = createDovecotUsers(paths)
  const maps = createPostfixMaps({ paths, run })
  const sieve = createSieveScripts({ paths, run })
  const store = createMaildirStore({ paths, run })
  const doveadm = (args: readonly string[], input?: string) =>
    askDoveadm({ config: paths.dovecot.config, run, timeoutMs: commandTimeoutMs }, args, input)
  // In this process alone: two processes put a domain one after the other by its lock (features/mailboxes).
  const withDomain = createKeyedMutex<string>()
  // A process that has told somebody that a domain is not ours says so to him for as long as it lives. One that does not run knows nothing.
  const reloadPostfix = createTrailingCall(reloadEveryMs, () =>
    run(['postfix', '-c', paths.postfix.directory, 'reload'], { timeoutMs: commandTimeoutMs }).catch(() => {})
  )
  const endSessions = async (masks: readonly string[]) => {
    for (const mask of masks) await doveadm(['kick', mask])
  }
  const isRunning = () =>
    doveadm(['who', '-1', 'nobody@invalid']).then(
      () => true,
      () => false
    )

  return {
    /** An address is Dovecot's before Postfix takes mail for it, and as long as it may have some. */
    putDomain: (domain) =>
      withDomain(domain.name, async () => {
        const entries = renderMapEntries(domain)
        const before = readLogins((await users.read(domain.name)) ?? '')
        const isNew = (await maps.read(domain.name)) === undefined
        await maps.removeAllBut(domain.name, entries)
        await sieve.put(domain)
        await users.put(domain)
        await maps.put(domain.name, entries)
        if (isNew) reloadPostfix()
        const may = new Set(readLogins((await users.read(domain.name)) ?? ''))
        const lost = before.filter((address) => !may.has(address))
        // Without a server there are no sessions.
        if (lost.length > 0 && (await isRunning())) await endSessions(may.size === 0 ? [`*@${domain.name}`] : lost)
      }),
    removeDomain: (name) =>
      withDomain(name, async () => {
        assertMailDomain(name)
        const before = readLogins((await users.read(name)) ?? '')
        await maps.removeAllBut(name, emptyEntries())
        await users.remove(name)
        await sieve.remove(name)
        if (before.length > 0 && (await isRunning())) await endSessions([`*@${name}`])
      }),
    async listDomains() {
      return [...new Set([...(await users.listDomains()), ...(await maps.listDomains())])].filter(isMailDomain).sort()
    },
    async endSessions(addresses) {
      addresses.forEach(parseMailbox)
      await endSessions(addresses)
    },
    async readUsage(addresses) {
      const there = await Promise.all(
        addresses.map(async (address) => ((await store.hasMail(address)) ? [address] : []))
      )
      const asked = there.flat()
      if (asked.length === 0) return new Map()
      const answer = await doveadm(
        ['-f', 'tab', 'quota', 'get', '-F', '/dev/stdin'],
        asked.map((one) => `${one}\n`).join('')
      )
      return parseQuota(answer ?? '', asked)
    },
    ping: (server) => (server === 'imap' ? askDovecot(ports.auth) : askPostfix(paths)),
    probe: () => probeMailServer(ports),
    async setAside(address, keptAs) {
      await store.setAside(address, keptAs)
    },
    putBack: (keptAs, address) => store.putBack(keptAs, address),
    readKept: (names) => store.readKept(names),
    purge: (keptAs) => store.purge(keptAs),
    exportMaildir: async (address) => store.exportMaildir(address)
  }
}
