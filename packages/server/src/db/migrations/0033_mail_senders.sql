-- The mail servers are given each domain once more: who may send as an alias has changed.
UPDATE "mail_domains" SET "applied_revision" = 0;
