import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { meQuery } from '../auth/me.queries.ts'
import type { Command, FoundType } from './command.ts'
import type { PageAction } from './page-actions.ts'
import { searchQuery } from './palette.queries.ts'
import { rank } from './rank.ts'

export interface PaletteFacts {
  pages: readonly { to: string; label: string }[]
  actions: readonly PageAction[]
}

const pauseMs = 120

const addresses: Readonly<Record<FoundType, string>> = {
  project: '/projects/$projectId',
  domain: '/domains/$domainId',
  database: '/databases/$databaseId',
  mailbox: '/mail/$mailboxId',
  user: '/server/users/$userId'
}
const customerAddress = '/customers/$userId'

export function useCommands(text: string, { pages, actions }: PaletteFacts) {
  const router = useRouter()
  const { data: me } = useQuery(meQuery)
  const wanted = text.trim()
  const [requested] = useDebouncedValue(wanted, pauseMs)
  const addressOf = (type: FoundType) => (type === 'user' && me?.role !== 'ADMIN' ? customerAddress : addresses[type])
  const types = (Object.keys(addresses) as FoundType[]).filter((type) => addressOf(type) in router.routesByPath)
  const search = useQuery(searchQuery(requested, types))
  const go = (href: string) => void router.navigate({ href })
  const known: Command[] = [
    ...actions.map((action): Command => ({ id: `act ${action.label}`, group: 'acts', ...action })),
    ...pages.map(({ to, label }): Command => ({ id: to, group: 'pages', label, run: () => go(to) }))
  ]
  const found = (wanted === '' ? [] : (search.data?.results ?? [])).map(({ type, id, title, subtitle }): Command => ({
    id: `${type} ${id}`,
    group: type,
    label: title,
    ...(subtitle !== null && { hint: subtitle }),
    run: () => go(addressOf(type).replace(/\$\w+/, id))
  }))
  return {
    commands: rank([...known, ...found], text),
    isSearching: wanted !== '' && (requested !== wanted || search.isFetching),
    isUnavailable: search.isError
  }
}
