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

test('names answers, scripts and styles of the page at an address', () => {
  expect(linksOf('/projects')).toEqual([
    'preload /api/auth/me',
    'preload /api/projects?page=1&amp;limit=25',
    'modulepreload /assets-projects.js',
    'stylesheet /assets/list.css'
  ])
  expect(linksOf('/projects/')).toEqual(linksOf('/projects'))
})

test('a page asks for nothing of its own where its address has a search', () => {
  expect(linksOf('/projects?page=2')).toEqual([
    'preload /api/auth/me',
    'modulepreload /assets-projects.js',
    'stylesheet /assets/list.css'
  ])
})

test('an id of the address stands in what is asked, and a word of ours is no id', () => {
  expect(linksOf('/projects/a-b_1')).toContain('preload /api/projects/a-b_1?secrets=false')
  expect(linksOf('/projects/new')).toContain('modulepreload /assets-projects-new.js')
})

test.each(['/projects/%2e%2e', '/projects/a"b', '/projects/..', '/projects/a&b', '/elsewhere', '/projects/a/b/c'])(
  'nothing of %s becomes a request',
  (url) => expect(firstLinks(pages, url, true)).toBe('')
)

test('who has no session is sent to sign in: only pages without one are prepared', () => {
  expect(linksOf('/projects', false)).toEqual([])
  expect(linksOf('/login', false)).toEqual(['modulepreload /assets-login.js'])
})
