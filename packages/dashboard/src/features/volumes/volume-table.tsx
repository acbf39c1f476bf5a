import { IconArrowsDiagonal, IconFolder, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { IconButton } from '../../ui/icon-button.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import cells from '../../ui/table-cells.module.css'
import { volumeMessages } from './volumes.messages.ts'
import type { ProjectVolume } from './volumes.queries.ts'

interface VolumeTableProps {
  projectId: string
  volumes: readonly ProjectVolume[]
  onResize(volume: ProjectVolume): void
  onDelete(volume: ProjectVolume): void
}

export function VolumeTable({ projectId, volumes, onResize, onDelete }: VolumeTableProps) {
  const t = useMessages(volumeMessages)
  const { bytes } = useI18n()
  return (
    <table className={`${card.table} ${card.cards}`}>
      <thead>
        <tr>
          <th scope="col">{t('name')}</th>
          <th scope="col">{t('path')}</th>
          <th scope="col">{t('state')}</th>
          <th scope="col" className={card.end}>
            {t('used')}
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {volumes.map((volume) => (
          <tr key={volume.id}>
            <td>
              <strong dir="ltr">{volume.name}</strong>
            </td>
            <td data-label={t('path')}>
              <code dir="ltr">{volume.path}</code>
            </td>
            <td data-label={t('state')}>
              <State volume={volume} />
            </td>
            <td className={card.end} data-label={t('used')}>
              {t('usedOf', { used: bytes(volume.usedBytes), size: bytes(volume.sizeMb * 2 ** 20) })}
            </td>
            <td className={cells.acts}>
              <Link
                to="/projects/$projectId/files"
                params={{ projectId }}
                search={{ volume: volume.id }}
                aria-label={t('files', { name: volume.name })}
                title={t('files', { name: volume.name })}
                className={cells.link}
              >
                <IconFolder size={16} aria-hidden />
              </Link>
              <IconButton label={t('resize', { name: volume.name })} onClick={() => onResize(volume)}>
                <IconArrowsDiagonal size={16} aria-hidden />
              </IconButton>
              <IconButton label={t('delete', { name: volume.name })} onClick={() => onDelete(volume)}>
                <IconTrash size={16} aria-hidden />
              </IconButton>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function State({ volume: { isFull, isMounted } }: { volume: ProjectVolume }) {
  const t = useMessages(volumeMessages)
  if (isFull) return <StatusBadge tone="bad">{t('state.FULL')}</StatusBadge>
  return isMounted ? (
    <StatusBadge tone="ok">{t('state.MOUNTED')}</StatusBadge>
  ) : (
    <StatusBadge tone="idle">{t('state.WAITING')}</StatusBadge>
  )
}
