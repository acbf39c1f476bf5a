import { expect, test } from 'vitest'
import { type FirstRequests, firstLinks } from './first-requests.ts'

const page = (path: string, values: Partial<FirstRequests> = {}): FirstRequests => ({
  path,
  scripts: [`assets${path.replaceAll('/', '-')}.js`],
  styles: [],
  asksAround: ['/api/auth/me'],
  asks: [],
  ...values
})
const pages = [
  page('/login', { asksAround: [] }),
  page('/projects', { asks: ['/api/projects?page=1&limit=25'], styles: ['assets/list.css'] }),
  page('/projects/new'),
  page('/projects/$projectId', { asksAround: ['/api/auth/me', '/api/projects/$projectId?secrets=false'] }),
  page('/projects/$projectId/logs')
]
const linksOf = (url: string, hasSession = true) =>
  [
    ...firstLinks(pages, url, hasSession).matchAll(/<link rel="(\w+)"(?: as="fetch")? crossorigin href="([^"]+)">/g)
  ].map(([, rel, href]) => `${rel} ${href}`)

test('lists requests, scripts and styles of the page at a URL', () => {
  expect(linksOf('/projects')).toEqual([
    'preload /api/auth/me',
    'preload /api/projects?page=1&amp;limit=25',
    'modulepreload /assets-projects.js',
    'stylesheet /assets/list.css'
  ])
  expect(linksOf('/projects/')).toEqual(linksOf('/projects'))
})

test('leaves out the page’s own requests if the URL has a query', () => {
  expect(linksOf('/projects?page=2')).toEqual([
    'preload /api/auth/me',
    'modulepreload /assets-projects.js',
    'stylesheet /assets/list.css'
  ])
})

test('fills in ids of the URL, and does not take a static segment for an id', () => {
  expect(linksOf('/projects/a-b_1')).toContain('preload /api/projects/a-b_1?secrets=false')
  expect(linksOf('/projects/new')).toContain('modulepreload /assets-projects-new.js')
})

test.each(['/projects/%2e%2e', '/projects/a"b', '/projects/..', '/projects/a&b', '/elsewhere', '/projects/a/b/c'])(
  '%s adds no request',
  (url) => expect(firstLinks(pages, url, true)).toBe('')
)

test('without a session only public pages are preloaded', () => {
  expect(linksOf('/projects', false)).toEqual([])
  expect(linksOf('/login', false)).toEqual(['modulepreload /assets-login.js'])
})
