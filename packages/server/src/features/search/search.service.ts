import { type SearchQuery, type SearchResult, type SearchType, searchTypes } from '@panel/contract/search'
import type { Dependencies } from '../../dependencies.ts'
import { findAccountsByText, getActor, type UserRow } from '../users/account-access.ts'
import { findDatabases, findDomains, findMailboxes, findProjects, type Hit } from './search.repository.ts'

type Deps = Pick<Dependencies, 'db'>
type Find = (deps: Deps, actor: UserRow, text: string, limit: number) => Promise<Hit[]>

const finders: Readonly<Record<SearchType, Find>> = {
  project: ({ db }, { id }, ...wanted) => findProjects(db, id, ...wanted),
  domain: ({ db }, { id }, ...wanted) => findDomains(db, id, ...wanted),
  database: ({ db }, { id }, ...wanted) => findDatabases(db, id, ...wanted),
  mailbox: ({ db }, { id }, ...wanted) => findMailboxes(db, id, ...wanted),
  async user({ db }, actor, text, limit) {
    if (actor.role === 'USER') return []
    const rows = await findAccountsByText(db, actor.role === 'ADMIN' ? undefined : actor.id, text, limit)
    return rows.map(({ id, name, email }) => ({ id, title: name, subtitle: email }))
  }
}

/** Each type gets a share: the best matches of all types before more of one. */
export async function searchEverything(
  deps: Deps,
  userId: string,
  { q, types = searchTypes, limit }: Omit<SearchQuery, 'types'> & { types?: readonly SearchType[] | undefined }
): Promise<SearchResult[]> {
  const actor = await getActor(deps.db, userId)
  const wanted = searchTypes.filter((type) => types.includes(type))
  const found = await Promise.all(
    wanted.map(async (type) =>
      (await finders[type](deps, actor, q, limit)).map((hit): SearchResult => ({ type, ...hit }))
    )
  )
  const order = found.flatMap((hits) => hits.map((hit, at) => ({ hit, at }))).toSorted((a, b) => a.at - b.at)
  const kept = new Set(order.slice(0, limit).map(({ hit }) => hit))
  return found.flat().filter((hit) => kept.has(hit))
}
