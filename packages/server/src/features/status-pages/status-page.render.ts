import { createHash } from 'node:crypto'
import type { PublicStatus } from '@panel/contract/status-pages'
import type { UptimeState } from '@panel/contract/uptime-checks'

const style = `
:root { color-scheme: light dark; --text: #1c1e21; --dim: #5a6068; --page: #f5f6f8; --card: #fff; --line: #d9dce1; --up: #1a7f37; --part: #9a6700; --down: #b42318; --none: #c3c8cf }
@media (prefers-color-scheme: dark) { :root { --text: #e6e8eb; --dim: #a4abb3; --page: #14171a; --card: #1d2125; --line: #363c43; --up: #3fb950; --part: #d29922; --down: #f47067; --none: #4a5159 } }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page) }
main { max-width: 44rem; margin: 0 auto; padding: 2rem 1rem }
h1 { font-size: 1.6rem; overflow-wrap: anywhere } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
.all, li { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .75rem 1rem; margin: .5rem 0 }
ul { list-style: none; margin: 0; padding: 0 }
.head { display: flex; gap: 1rem; justify-content: space-between } .head b { overflow-wrap: anywhere }
.days { display: block; width: 100%; height: 2rem; margin: .5rem 0 .25rem } .dim { color: var(--dim); font-size: .9rem; margin: 0 }
.UP { color: var(--up) } .DOWN { color: var(--down) } .UNKNOWN, .PAUSED { color: var(--dim) }
.full { fill: var(--up) } .part { fill: var(--part) } .low { fill: var(--down) } .none { fill: var(--none) }
`

const words = { UP: 'Up', DOWN: 'Down', UNKNOWN: 'Unknown', PAUSED: 'Paused' } as const satisfies Record<
  UptimeState,
  string
>
const sentences = {
  UP: 'All systems operational.',
  DOWN: 'Some systems are down.',
  UNKNOWN: 'The state of some systems is unknown.',
  PAUSED: 'Checks are paused.'
} as const satisfies Record<UptimeState, string>

/** A self-contained HTML page without scripts or other resources, which reloads periodically. */
export function renderStatusPage(status: PublicStatus): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="60">
<title>${escape(status.title)} – status</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escape(status.title)}</h1>
<p class="all ${status.state}" role="status">${sentences[status.state]}</p>
<h2>Now and in the last ${status.showDays} days</h2>
${status.checks.length === 0 ? '<p class="dim">No checks are shown here yet.</p>' : `<ul>\n${status.checks.map(renderCheck).join('\n')}\n</ul>`}
<h2>Incidents</h2>
${status.incidents.length === 0 ? `<p class="dim">None in the last ${status.showDays} days.</p>` : `<ul>\n${status.incidents.map(renderIncident).join('\n')}\n</ul>`}
<p class="dim">As of ${renderTime(status.generatedAt)}. Days are those of UTC; uptime is the share of the time that is known.</p>
</main>
</body>
</html>
`
}

function renderCheck({ name, state, uptime, days }: PublicStatus['checks'][number]): string {
  const bars = days.map(
    (day, at) =>
      `<rect class="${gradeOf(day.uptime)}" x="${at * 4}" width="3" height="20"><title>${day.day}: ${percent(day.uptime)}</title></rect>`
  )
  const label = `Uptime by day over ${days.length} days: ${percent(uptime)} in total`
  return `<li><div class="head"><b>${escape(name)}</b><span class="${state}">${words[state]}</span></div>
<svg class="days" viewBox="0 0 ${days.length * 4 - 1} 20" preserveAspectRatio="none" role="img" aria-label="${label}">${bars.join('')}</svg>
<p class="dim">Uptime ${percent(uptime)}</p></li>`
}

function renderIncident({ name, from, to, seconds }: PublicStatus['incidents'][number]): string {
  const end = to === null ? 'ongoing' : `to ${renderTime(to)}`
  return `<li><b>${escape(name)}</b> was down from ${renderTime(from)} ${end} <span class="dim">(${renderLength(seconds)})</span></li>`
}

const gradeOf = (uptime: number | null): string =>
  uptime === null ? 'none' : uptime >= 99.9 ? 'full' : uptime >= 95 ? 'part' : 'low'

const percent = (uptime: number | null): string => (uptime === null ? 'unknown' : `${uptime}%`)

const renderTime = (iso: string): string =>
  `<time datetime="${escape(iso)}">${escape(iso.slice(0, 16).replace('T', ' '))} UTC</time>`

function renderLength(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Also removes bidirectional control characters, which would change the order of the text around user-chosen names. */
const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (mark) => entities[mark]!).replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')

/** No scripts, no external resources, no frames. */
export const statusPagePolicy = `default-src 'none';style-src 'sha256-${createHash('sha256').update(style).digest('base64')}';frame-ancestors 'none';base-uri 'none';form-action 'none'`
