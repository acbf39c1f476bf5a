CREATE TABLE "mail_filter_settings" (
	"domain_id" text PRIMARY KEY NOT NULL,
	"is_enabled" boolean NOT NULL,
	"junk_score" real NOT NULL,
	"refuse_score" real NOT NULL,
	"is_greylisting" boolean NOT NULL,
	"allow" text[] NOT NULL,
	"deny" text[] NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"applied_revision" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mail_filter_settings_scores" CHECK (junk_score <= refuse_score)
);
--> statement-breakpoint
ALTER TABLE "mail_filter_settings" ADD CONSTRAINT "mail_filter_settings_domain_id_mail_domains_domain_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("domain_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mail_filter_settings_stale" ON "mail_filter_settings" USING btree ("domain_id") WHERE applied_revision <> revision;