import { createHash } from 'node:crypto'
import type { PublicStatus } from '@panel/contract/status-pages'
import { type Language, textsIn } from '../../text/language.ts'
import { type StatusPageCode, statusPageTexts } from './status-page.texts.ts'

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

type Translate = (code: StatusPageCode, values?: Readonly<Record<string, string | number>>) => string

/** A self-contained HTML page without scripts or other resources, which reloads periodically. */
export function renderStatusPage(status: PublicStatus, language: Language): string {
  const t = textsIn(statusPageTexts, language)
  const { state, checks, incidents, showDays: days } = status
  const title = escape(status.title)
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="60">
<title>${t('title', { name: title })}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="all ${state}" role="status">${t(`all.${state}`)}</p>
<h2>${t('now', { days })}</h2>
${checks.length === 0 ? `<p class="dim">${t('noChecks')}</p>` : listOf(checks.map((check) => renderCheck(check, t, language)))}
<h2>${t('incidents')}</h2>
${incidents.length === 0 ? `<p class="dim">${t('noIncidents', { days })}</p>` : listOf(incidents.map((incident) => renderIncident(incident, t)))}
<p class="dim">${t('asOf', { time: renderTime(status.generatedAt) })}</p>
</main>
</body>
</html>
`
}

const listOf = (items: readonly string[]): string => `<ul>\n${items.join('\n')}\n</ul>`

function renderCheck({ name, state, uptime, days }: PublicStatus['checks'][number], t: Translate, language: Language) {
  const percent = (value: number | null): string =>
    value === null ? t('unknown') : new Intl.NumberFormat(language, percentStyle).format(value / 100)
  const bars = days.map(
    (day, at) =>
      `<rect class="${gradeOf(day.uptime)}" x="${at * 4}" width="3" height="20"><title>${day.day}: ${percent(day.uptime)}</title></rect>`
  )
  const label = t('days', { days: days.length, uptime: percent(uptime) })
  return `<li><div class="head"><b>${escape(name)}</b><span class="${state}">${t(`state.${state}`)}</span></div>
<svg class="days" viewBox="0 0 ${days.length * 4 - 1} 20" preserveAspectRatio="none" role="img" aria-label="${label}">${bars.join('')}</svg>
<p class="dim">${t('uptime', { uptime: percent(uptime) })}</p></li>`
}

function renderIncident({ name, from, to, seconds }: PublicStatus['incidents'][number], t: Translate): string {
  const values = { name: `<b>${escape(name)}</b>`, from: renderTime(from) }
  const sentence = to === null ? t('outage.ongoing', values) : t('outage', { ...values, to: renderTime(to) })
  return `<li>${sentence} <span class="dim">(${renderLength(seconds)})</span></li>`
}

const percentStyle = { style: 'percent', maximumFractionDigits: 3 } as const

const gradeOf = (uptime: number | null): string =>
  uptime === null ? 'none' : uptime >= 99.9 ? 'full' : uptime >= 95 ? 'part' : 'low'

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
