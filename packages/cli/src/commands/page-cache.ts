import { unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { projectOf } from '../projects.ts'
import { table } from '../table.ts'

export const showCache: Command = {
  name: 'cache show',
  about: 'show the page cache of a WordPress site and its hits by day',
  args: '[project]',
  example: 'cache show blog',
  async run(call) {
    const { client, print, next } = call
    const { id, name } = await projectOf(call)
    const cache = await unwrap(client.GET('/api/projects/{id}/wordpress/page-cache', { params: { path: { id } } }))
    const state = cache.active ? 'on' : cache.enabled ? 'on, not active yet' : 'off'
    const rows = cache.days.map(({ date, hits, misses, bypasses }) => [
      ...[date, String(hits), String(misses), String(bypasses)],
      hits + misses === 0 ? '' : `${Math.round((hits / (hits + misses)) * 100)} %`
    ])
    print(cache, `Page cache: ${state}\n${table(['DAY', 'HITS', 'MISSES', 'BYPASSED', 'HIT RATE'], rows)}`)
    next(cache.enabled ? `cache purge ${name}` : `settings ${name} pageCache=true`)
  }
}

export const purgeCache: Command = {
  name: 'cache purge',
  about: 'remove all stored pages of a WordPress site',
  args: '[project]',
  example: 'cache purge blog',
  async run(call) {
    const { client, print, next } = call
    const { id, name } = await projectOf(call)
    await unwrap(client.DELETE('/api/projects/{id}/wordpress/page-cache', { params: { path: { id } } }))
    print({ purged: true }, `Purged the page cache of ${name}\n`)
    next(`cache show ${name}`)
  }
}
