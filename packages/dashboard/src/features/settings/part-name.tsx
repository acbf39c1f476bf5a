import { useMessages } from '../../i18n/i18n.tsx'
import { settingsMessages } from './settings.messages.ts'

/** Components of a newer server are shown by their name. */
export function usePartName(): (name: string) => string {
  const t = useMessages(settingsMessages)
  return (name) =>
    `part.name.${name}` in settingsMessages.english ? t(`part.name.${name}` as Parameters<typeof t>[0]) : name
}

export const PartName = ({ name }: { name: string }) => usePartName()(name)
