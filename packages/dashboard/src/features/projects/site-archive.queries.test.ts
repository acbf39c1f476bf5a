import { expect, test } from 'vitest'
import { archiveType } from './site-archive.queries.ts'

test.each([
  ['site.zip', 'application/zip'],
  ['SITE.ZIP', 'application/zip'],
  ['site.tar.gz', 'application/gzip'],
  ['site.tgz', 'application/gzip']
])('%s is sent as %s', (name, type) => {
  expect(archiveType(name)).toBe(type)
})
