import { NativeSelect } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import type { Inspection } from './new-project.queries.ts'
import { type Place, placeOptions, repositoryItself } from './project-places.ts'
import { oneOf } from '../../routes/search.ts'
import { builtTypes } from './project-origins.ts'
import { projectMessages } from './projects.messages.ts'

interface PlaceSelectProps {
  found: Inspection
  isInspecting: boolean
}

/** Nothing if the repository can only be a project as a whole. */
export function PlaceSelect({ found, isInspecting }: PlaceSelectProps) {
  const t = useMessages(projectMessages)
  const navigate = useNavigate({ from: '/projects/new' })
  const options = placeOptions(found)
  if (options.length < 2) return null
  const nameOf = ({ rootDirectory, dockerfilePath, type }: Place) => {
    const path = [rootDirectory, dockerfilePath].filter((part) => part !== null).join('/')
    if (path === '') return t('new.place.whole')
    return type === undefined ? path : t('new.place.one', { path, type: t(`type.${type}`) })
  }
  const selected = options.findIndex(
    ({ rootDirectory, dockerfilePath }) =>
      rootDirectory === found.rootDirectory && dockerfilePath === found.dockerfilePath
  )
  return (
    <NativeSelect
      label={t('edit.rootDirectory')}
      description={t('new.place.hint')}
      data={options.map((place, at) => ({ value: String(at), label: nameOf(place) }))}
      value={String(selected)}
      disabled={isInspecting}
      onChange={({ target: { value } }) => {
        const { rootDirectory, dockerfilePath, type } = options[Number(value)]!
        void navigate({
          search: (search) => ({
            ...search,
            root: rootDirectory ?? repositoryItself,
            dockerfile: dockerfilePath ?? undefined,
            type: oneOf(builtTypes, type)
          }),
          state: true,
          replace: true
        })
      }}
    />
  )
}
