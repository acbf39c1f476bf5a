CREATE TABLE "mail_authentication" (
	"domain_id" text PRIMARY KEY NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"applied_revision" integer DEFAULT 0 NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"checks" jsonb,
	"has_mail_host" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "mail_authentication" ADD CONSTRAINT "mail_authentication_domain_id_mail_domains_domain_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("domain_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mail_authentication_stale" ON "mail_authentication" USING btree ("domain_id") WHERE applied_revision <> revision;--> statement-breakpoint
CREATE INDEX "mail_authentication_checked" ON "mail_authentication" USING btree ("checked_at");--> statement-breakpoint
CREATE INDEX "dkim_keys_awaited" ON "dkim_keys" USING btree ("domain_id") WHERE status = 'ACTIVE' and signs_since is null;