import { Link } from '@tanstack/react-router'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { CutName } from '../../ui/cut-name.tsx'
import { Section } from '../../ui/section.tsx'
import { serverDiskMessages } from './server-disk.messages.ts'
import type { ServerDisk } from './server-disk.queries.ts'

export function ProjectSection({ projects }: Pick<ServerDisk, 'projects'>) {
  const t = useMessages(serverDiskMessages)
  const { bytes } = useI18n()
  if (projects.length === 0) return null
  return (
    <Section title={t('projects')}>
      <table className={`${card.table} ${card.cards}`}>
        <thead>
          <tr>
            <th scope="col">{t('column.project')}</th>
            {(['files', 'images', 'size'] as const).map((name) => (
              <th key={name} scope="col" className={card.end}>
                {t(`column.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {projects.map(({ id, name, filesBytes, imagesBytes, bytes: sum }) => (
            <tr key={id}>
              <td>
                <Link to="/projects/$projectId" params={{ projectId: id }}>
                  <CutName name={name} tail={12} />
                </Link>
              </td>
              {[filesBytes, imagesBytes, sum].map((size, at) => (
                <td key={at} className={card.end}>
                  {bytes(size)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
