import { useQuery } from '@tanstack/react-query'
import { useI18n } from '../../i18n/i18n.tsx'
import type { Setting } from './settings.queries.ts'

/** English is what the server says. */
const abouts: Readonly<Record<string, () => Promise<typeof import('./setting-about.de.ts')>>> = {
  de: () => import('./setting-about.de.ts')
}

/** Settings with what is said of them in the language of the page, as soon as that is there. */
export function useDescribed(settings: readonly Setting[]): Setting[] {
  const { locale } = useI18n()
  const { data: known } = useQuery({
    queryKey: ['setting-about', locale],
    queryFn: async () => (await abouts[locale]!()).german,
    enabled: locale in abouts,
    staleTime: 'static'
  })
  return settings.map((setting) => ({ ...setting, about: known?.[setting.name] ?? setting.about }))
}
