import { useQuery } from '@tanstack/react-query'
import { useI18n } from '../../i18n/i18n.tsx'
import type { Setting } from './settings.queries.ts'

/** Translations by language; the server's texts are English. */
const abouts: Readonly<Record<string, () => Promise<typeof import('./setting-about.de.ts')>>> = {
  de: () => import('./setting-about.de.ts')
}

/** Settings with titles and descriptions in the user's language once it is loaded. */
export function useDescribed(settings: readonly Setting[]): Setting[] {
  const { locale } = useI18n()
  const { data: known } = useQuery({
    queryKey: ['setting-about', locale],
    queryFn: async () => (await abouts[locale]!()).german,
    enabled: locale in abouts,
    staleTime: 'static'
  })
  return settings.map((setting) => {
    const [title = setting.title, about = setting.about] = known?.[setting.name] ?? []
    return { ...setting, title, about }
  })
}
