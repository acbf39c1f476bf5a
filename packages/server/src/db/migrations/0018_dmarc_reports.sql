CREATE TYPE "public"."dmarc_disposition" AS ENUM('none', 'quarantine', 'reject');--> statement-breakpoint
CREATE TABLE "dmarc_reports" (
	"id" text PRIMARY KEY NOT NULL,
	"domain_id" text NOT NULL,
	"reporter" text NOT NULL,
	"report_id" text NOT NULL,
	"begin_at" timestamp (3) with time zone NOT NULL,
	"end_at" timestamp (3) with time zone NOT NULL,
	"policy" "dmarc_disposition",
	"row_count" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "dmarc_rows" (
	"id" text PRIMARY KEY NOT NULL,
	"report_id" text NOT NULL,
	"domain_id" text NOT NULL,
	"day" date NOT NULL,
	"source_ip" text,
	"messages" integer NOT NULL,
	"disposition" "dmarc_disposition" NOT NULL,
	"dkim_aligned" boolean NOT NULL,
	"spf_aligned" boolean NOT NULL,
	"header_from" text,
	"dkim_domain" text,
	"spf_domain" text
);
--> statement-breakpoint
ALTER TABLE "dmarc_reports" ADD CONSTRAINT "dmarc_reports_domain_id_mail_domains_domain_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("domain_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dmarc_rows" ADD CONSTRAINT "dmarc_rows_report_id_dmarc_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."dmarc_reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "dmarc_reports_key" ON "dmarc_reports" USING btree ("domain_id","reporter","report_id");--> statement-breakpoint
CREATE INDEX "dmarc_reports_arrival" ON "dmarc_reports" USING btree ("domain_id","created_at");--> statement-breakpoint
CREATE INDEX "dmarc_reports_begin" ON "dmarc_reports" USING btree ("begin_at");--> statement-breakpoint
CREATE INDEX "dmarc_rows_list" ON "dmarc_rows" USING btree ("domain_id","day","messages","id");--> statement-breakpoint
CREATE INDEX "dmarc_rows_report" ON "dmarc_rows" USING btree ("report_id");--> statement-breakpoint
-- The mail servers get a table that they did not have.
UPDATE "mail_domains" SET "applied_revision" = 0;