import { createHash } from 'node:crypto'
import type { PublicStatus } from '@panel/contract/status-pages'
import { expect, test } from 'vitest'
import { renderStatusPage, statusPagePolicy } from './status-page.render.ts'

const status: PublicStatus = {
  title: 'Shop of Ann',
  state: 'UP',
  checks: [
    {
      name: 'Shop',
      state: 'UP',
      uptime: 99.95,
      days: [
        { day: '2026-11-22', uptime: null },
        { day: '2026-11-23', uptime: 99.95 }
      ]
    }
  ],
  incidents: [{ name: 'Shop', from: '2026-11-22T10:00:00.000Z', to: '2026-11-22T11:30:00.000Z', seconds: 5_400 }],
  showDays: 2,
  generatedAt: '2026-11-23T12:00:00.000Z'
}

test('shows the overall state', () => {
  const page = renderStatusPage(status, 'en')
  for (const part of [
    '<h1>Shop of Ann</h1>',
    'All systems operational.',
    '2026-11-22: unknown',
    'Uptime 99.95%',
    '1 h 30 min'
  ])
    expect(page).toContain(part)
})

test('is in the language of the visitor', () => {
  const page = renderStatusPage(status, 'de')
  for (const part of ['<html lang="de">', 'Alle Systeme sind erreichbar.', '99,95\u00a0%']) expect(page).toContain(part)
})

test.each([
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='x",
  '</title><b>',
  '&lt;script&gt;'
])('a name %s is text', (hostile) => {
  const page = renderStatusPage(
    {
      ...status,
      title: hostile,
      checks: [{ ...status.checks[0]!, name: hostile }],
      incidents: [{ ...status.incidents[0]!, name: hostile }]
    },
    'en'
  )
  expect(page).not.toContain(hostile)
  // Every tag is one of ours.
  const tags = (text: string) => [...text.matchAll(/<\/?[a-z!][^>]*>/gi)].map(([tag]) => tag)
  expect(tags(page)).toEqual(tags(renderStatusPage(status, 'en')))
})

test('bidirectional control characters are removed', () => {
  expect(renderStatusPage({ ...status, title: 'a\u202eb\u2066' }, 'en')).toContain('<h1>ab</h1>')
})

test('the policy names the style of the page, and lets nothing else in', () => {
  const style = /<style>([^]*?)<\/style>/.exec(renderStatusPage(status, 'en'))![1]!
  const hash = createHash('sha256').update(style).digest('base64')
  expect(statusPagePolicy).toContain(`style-src 'sha256-${hash}'`)
  expect(statusPagePolicy).toMatch(/^default-src 'none'/)
  expect(renderStatusPage(status, 'en')).not.toMatch(/<script|style="|src=|href=|\son\w+=/)
})
