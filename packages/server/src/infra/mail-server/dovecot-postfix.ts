import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts'
import { AdapterError } from '../adapter-error.ts'
import { findProcesses } from '../process/find-processes.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { signal } from '../process/signal.ts'
import { doveadm as askDoveadm } from './doveadm.ts'
import { createDovecotUsers } from './dovecot-users.ts'
import { parseQuota, parseWho } from './dovecot-answers.ts'
import { type MailDirectories, mailPaths } from './mail-paths.ts'
import { assertMailDomain, isMailDomain, parseMailbox } from './mail-names.ts'
import type { MailPorts } from './mail-ports.ts'
import type { MailServer, ServedMailDomain } from './mail-server.ts'
import { probeDovecot, probePostfix, probePostsrsd } from './mail-probes.ts'
import { probeMailServer } from './mail-server-probe.ts'
import { createImapSessions } from './imap-session.ts'
import { createMaildirStore } from './maildir-store.ts'
import { createPostfixMaps } from './postfix-maps.ts'
import { emptyEntries, type MapEntries, renderMapEntries } from './postfix-maps.render.ts'
import { submitToPostfix } from './postfix-submission.ts'
import { createSieveScripts } from './sieve-scripts.ts'
import { createTrailingCall } from './trailing-call.ts'

interface MailServerOptions extends MailDirectories {
  run: Run
  ports: MailPorts
  /** Per command. Default 15 s. */
  commandTimeoutMs?: number
}

const reloadEveryMs = 3_000

/**
 * Controls Dovecot and Postfix (programs/dovecot.ts, programs/postfix.ts) through their files and command-line tools.
 */
export function createMailServer(options: MailServerOptions): MailServer {
  const { run, ports, commandTimeoutMs = 15_000 } = options
  const paths = mailPaths(options)
  const users = createDovecotUsers(paths)
  const maps = createPostfixMaps({ paths, run })
  const sieve = createSieveScripts({ paths, run })
  const store = createMaildirStore({ paths, run })
  const sessions = createImapSessions(paths.dovecot.config)
  const doveadm = (args: readonly string[]) =>
    askDoveadm({ config: paths.dovecot.config, run, timeoutMs: commandTimeoutMs }, args)
  // Per process; across processes, the lock of the mail domain serializes (features/mailboxes).
  const withDomain = createKeyedMutex<string>()
  // Postfix processes cache lookups for as long as they live. A reload lets running sessions finish.
  const reloadPostfix = createTrailingCall(reloadEveryMs, async () => {
    const [master] = (await findProcesses('master', paths.postfix.directory)).keys()
    if (master !== undefined) signal(master, 'SIGHUP')
  })
  const endSessions = async (masks: readonly string[]) => {
    for (const mask of masks) {
      await sessions.end(mask)
      await doveadm(['kick', mask])
    }
  }
  /** Compares with the actual sessions, so that a repeat also ends those left by a crash. */
  const endSessionsBut = async (domain: string, mayStay: ReadonlySet<string>) => {
    const there = parseWho((await doveadm(['-f', 'tab', 'who', `*@${domain}`]).catch(undefinedIfUnavailable)) ?? '')
    await endSessions(there.filter((address) => !mayStay.has(address)))
  }

  const pings = {
    imap: () => probeDovecot(ports.auth),
    smtp: () => probePostfix(paths),
    rewriter: () => probePostsrsd(ports.srsReverse)
  }
  return {
    /**
     * Order: Dovecot must know an address before Postfix accepts mail for it, and as long as some may be in transit.
     */
    putDomain: (domain) =>
      withDomain(domain.name, async () => {
        const entries = renderMapEntries(domain)
        const isOther = wayOf(await maps.read(domain.name)) !== wayOf(entries)
        await maps.removeAllBut(domain.name, entries)
        await sieve.put(domain)
        await users.put(domain)
        await maps.put(domain.name, entries)
        if (isOther) await reloadPostfix()
        await endSessionsBut(domain.name, loginsOf(domain))
      }),
    removeDomain: (name) =>
      withDomain(name, async () => {
        assertMailDomain(name)
        const wasServed = (await maps.read(name)) !== undefined
        await maps.removeAllBut(name, emptyEntries())
        await users.remove(name)
        await sieve.remove(name)
        if (wasServed) await reloadPostfix()
        await endSessionsBut(name, new Set())
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
        addresses.map(async (address) =>
          (await users.has(address)) && (await store.hasMail(address)) ? [address] : []
        )
      )
      const requested = there.flat()
      if (requested.length === 0) return new Map()
      const list = join(paths.run, `asked-${randomUUID()}`)
      try {
        await writeFile(list, requested.map((one) => `${one}\n`).join(''), { mode: 0o600 })
        return parseQuota((await doveadm(['-f', 'tab', 'quota', 'get', '-F', list])) ?? '', requested)
      } finally {
        await rm(list, { force: true })
      }
    },
    ping: (server) => pings[server](),
    probe: () => probeMailServer(ports),
    submit: (message) => submitToPostfix(paths, message),
    async setAside(address, keptAs) {
      // An open session would keep writing into the directory of the address's next mailbox.
      await sessions.end(address)
      await store.setAside(address, keptAs)
    },
    putBack: (keptAs, address) => store.putBack(keptAs, address),
    keepRestored: (directory, keptAs) => store.keepRestored(directory, keptAs),
    readKept: (names) => store.readKept(names),
    purge: (keptAs) => store.purge(keptAs),
    exportMaildir: async (address) => store.exportMaildir(address),
    exportKept: async (keptAs) => store.exportKept(keptAs),
    openMailbox: (address) => sessions.open(address)
  }
}

/** How Postfix routes the domain's mail. */
const wayOf = (entries: MapEntries | undefined): string =>
  [...(entries?.domains.keys() ?? []), ...(entries?.transports.keys() ?? [])].join()

const loginsOf = ({ name, isSuspended, mailboxes }: ServedMailDomain): ReadonlySet<string> =>
  new Set(mailboxes.filter(({ mayLogIn }) => mayLogIn && !isSuspended).map(({ localPart }) => `${localPart}@${name}`))

/** If Dovecot is not running there are no sessions. After a timeout there may be some. */
function undefinedIfUnavailable(error: unknown): undefined {
  const isUnavailable =
    error instanceof AdapterError && error.cause instanceof ProcessError && error.cause.reason === 'failed'
  if (!isUnavailable) throw error
}
