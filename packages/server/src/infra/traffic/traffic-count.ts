import { noTimes, packTimes, stepOf } from '../../time/response-times.policy.ts'
import type { SiteTraffic, TakenTraffic } from './traffic.ts'

const linePattern = /^([A-Za-z0-9_-]{1,64}) (-?\d{1,4}) (\d{1,16}) (\d{1,16}) (\d{1,12}) (-?\d{1,12})$/
const droppedPattern = /(\d{1,12}) events? dropped/
// Longer than any of ours: what a line has beyond it is not kept.
const maxLine = 1024

/** Adds up the lines of the proxy's log (haproxy-config.render.ts). Bounded by the sites it may be told of. */
export function createTrafficCount({ maxSites = 50_000 } = {}) {
  let sites = new Map<string, SiteTraffic & { counts: number[] }>()
  let lost = 0

  const add = (line: string): void => {
    const fields = linePattern.exec(line)
    if (!fields) {
      lost += Number(droppedPattern.exec(line)?.[1] ?? 0)
      return
    }
    const [status, bytesIn, bytesOut, all, answer] = fields.slice(2).map(Number) as [
      number,
      number,
      number,
      number,
      number
    ]
    // A `-` is of a request that was for no site.
    if (fields[1] === '-') return
    let sums = sites.get(fields[1]!)
    if (!sums) {
      if (sites.size >= maxSites) return void (lost += 1)
      // A copy: the part of a line that is kept would keep all the text that it came in.
      const site = Buffer.from(fields[1]!, 'latin1').toString('latin1')
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
    // Until the site's answer begins; where it never did, until the proxy had answered in its place.
    const ms = answer >= 0 ? answer : all
    sums.milliseconds += ms
    sums.counts[stepOf(ms)]! += 1
  }

  return {
    /** A reader of one connection, which may end a line in the next piece. */
    openReader() {
      let rest = ''
      return (text: string): void => {
        const lines = (rest + text).split('\n')
        rest = lines.pop()!.slice(0, maxLine)
        for (const line of lines) add(line)
      }
    },
    /** All since the last time. */
    take(): TakenTraffic {
      const taken = {
        sites: [...sites.values()].map(({ counts, ...sums }) => ({ ...sums, times: packTimes(counts) })),
        lost
      }
      sites = new Map()
      lost = 0
      return taken
    }
  }
}
