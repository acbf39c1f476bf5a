import { expect, test } from 'vitest'
import { pageLinks } from './page-links.ts'

const url = '/api/domains?limit=10&search=a%22b'

test.each([
  [{ page: 1, limit: 10, total: 5 }, undefined],
  [{ page: 1, limit: 10, total: 11 }, '</api/domains?limit=10&search=a%22b&page=2>; rel="next"'],
  [{ page: 2, limit: 10, total: 11 }, '</api/domains?limit=10&search=a%22b&page=1>; rel="prev"'],
  [{ page: 9, limit: 10, total: 11 }, '</api/domains?limit=10&search=a%22b&page=2>; rel="prev"'],
  [{ page: 3, limit: 10, total: 0 }, undefined]
])('%j', (facts, link) => {
  expect(pageLinks({ url }, facts)).toEqual({ 'X-Total-Count': String(facts.total), ...(link ? { Link: link } : {}) })
})
