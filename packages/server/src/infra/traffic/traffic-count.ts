import { noTimes, packTimes, stepOf } from '../../time/response-times.policy.ts'
import type { SiteLogIns, SiteTraffic, TakenTraffic } from './traffic.ts'

const linePattern =
  /^([A-Za-z0-9_-]{1,64}) (-?\d{1,4}) (\d{1,16}) (\d{1,16}) (\d{1,12}) (-?\d{1,12}) (?:-|(login|xmlrpc)=([0-9a-f:.]{2,45}))$/
const droppedPattern = /(\d{1,12}) events? dropped/
// Longer than any valid line; the rest is discarded.
const maxLine = 1024

// WordPress shows the form again; plugins refuse. After a right password it redirects.
const refusals = new Set([200, 401, 403, 429])

/** Sums up the proxy's log lines (haproxy-config.render.ts) per site; bounded by `maxSites`. */
export function createTrafficCount({ maxSites = 50_000, maxClients = 50_000 } = {}) {
  let sites = new Map<string, SiteTraffic & { counts: number[] }>()
  let lost = 0
  let logIns = new Map<string, SiteLogIns>()

  const addLogIn = (kind: string, client: string, status: number): void => {
    if (kind === 'login' && !refusals.has(status)) return
    const found = logIns.get(client)
    if (!found && logIns.size >= maxClients) return
    const { address, failed, xmlrpc } = found ?? { address: ownCopy(client), failed: 0, xmlrpc: 0 }
    const added = kind === 'login' ? { address, failed: failed + 1, xmlrpc } : { address, failed, xmlrpc: xmlrpc + 1 }
    logIns.set(address, added)
  }

  const add = (line: string): void => {
    const fields = linePattern.exec(line)
    if (!fields) {
      lost += Number(droppedPattern.exec(line)?.[1] ?? 0)
      return
    }
    const [status, bytesIn, bytesOut, all, answer] = fields.slice(2, 7).map(Number) as [
      number,
      number,
      number,
      number,
      number
    ]
    if (fields[1] === '-') return
    if (fields[7] !== undefined && fields[8] !== undefined) addLogIn(fields[7], fields[8], status)
    let sums = sites.get(fields[1]!)
    if (!sums) {
      if (sites.size >= maxSites) return void (lost += 1)
      const site = ownCopy(fields[1]!)
      sums = {
        site,
        requests: 0,
        clientErrors: 0,
        serverErrors: 0,
        bytesIn: 0,
        bytesOut: 0,
        milliseconds: 0,
        times: [],
        counts: noTimes()
      }
      sites.set(site, sums)
    }
    sums.requests += 1
    if (status >= 400 && status < 500) sums.clientErrors += 1
    if (status >= 500 && status < 600) sums.serverErrors += 1
    sums.bytesIn += bytesIn
    sums.bytesOut += bytesOut
    // Time to first byte of the site, or total time if the proxy responded itself.
    const ms = answer >= 0 ? answer : all
    sums.milliseconds += ms
    sums.counts[stepOf(ms)]! += 1
  }

  return {
    openReader() {
      let rest = ''
      return (text: string): void => {
        const lines = (rest + text).split('\n')
        rest = lines.pop()!.slice(0, maxLine)
        for (const line of lines) add(line)
      }
    },
    take(): TakenTraffic {
      const taken = {
        sites: [...sites.values()].map(({ counts, ...sums }) => ({ ...sums, times: packTimes(counts) })),
        lost
      }
      sites = new Map()
      lost = 0
      return taken
    },
    takeLogIns(): SiteLogIns[] {
      const taken = [...logIns.values()]
      logIns = new Map()
      return taken
    }
  }
}

/** A slice would keep the whole input chunk in memory. */
const ownCopy = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')
