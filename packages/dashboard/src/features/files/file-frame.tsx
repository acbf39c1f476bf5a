import { Button } from '@mantine/core'
import { IconDownload, IconX } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { shownName } from '../../ui/shown-name.ts'
import { uiMessages } from '../../ui/ui.messages.ts'
import { fileMessages } from './files.messages.ts'
import classes from './files.module.css'
import { downloadUrl } from './file-actions.ts'
import { FolderPath } from './folder-path.tsx'
import { nameOf, parentOf } from './paths.ts'

interface FileFrameProps {
  projectId: string
  path: string
  actions?: ReactNode
  children: ReactNode
}

export function FileFrame({ projectId, path, actions, children }: FileFrameProps) {
  const t = useMessages(fileMessages)
  const ui = useMessages(uiMessages)
  const navigate = useNavigate({ from: '/projects/$projectId/files' })
  return (
    <section className={card.card} aria-label={shownName(nameOf(path))}>
      <div className={card.toolbar}>
        <FolderPath path={path} isFile />
        <div className={`${classes.acts} ${card.push}`}>
          <Button
            component="a"
            size="xs"
            variant="default"
            href={downloadUrl(projectId, { path, type: 'file' })}
            download
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t('download')}
          </Button>
          {actions}
          <Button
            size="xs"
            variant="default"
            onClick={() => void navigate({ search: { path: parentOf(path) || undefined } })}
            leftSection={<IconX size={16} aria-hidden />}
          >
            {ui('close')}
          </Button>
        </div>
      </div>
      {children}
    </section>
  )
}
