ALTER TYPE "public"."disk_usage_kind" ADD VALUE 'MAIL';--> statement-breakpoint
ALTER TABLE "mailboxes" DROP CONSTRAINT "mailboxes_domain_id_mail_domains_domain_id_fk";
--> statement-breakpoint
DROP INDEX "mail_domains_stale";--> statement-breakpoint
DROP INDEX "mailboxes_address_key";--> statement-breakpoint
ALTER TABLE "mailboxes" ALTER COLUMN "domain_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "mail_domains" ADD COLUMN "is_opening" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD COLUMN "domain_name" text NOT NULL;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD COLUMN "password_revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD COLUMN "sessions_revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD COLUMN "kept_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_domain_id_mail_domains_domain_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("domain_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mailboxes_domain" ON "mailboxes" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "mailboxes_unmoved" ON "mailboxes" USING btree ("domain_name") WHERE (deleted_at is null) <> (kept_at is null);--> statement-breakpoint
CREATE INDEX "mail_domains_stale" ON "mail_domains" USING btree ("domain_id") WHERE applied_revision <> revision or is_opening;--> statement-breakpoint
CREATE UNIQUE INDEX "mailboxes_address_key" ON "mailboxes" USING btree ("domain_name","local_part") WHERE deleted_at is null;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_domain_of_live" CHECK (deleted_at is not null or domain_id is not null);