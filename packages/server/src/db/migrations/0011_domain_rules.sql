CREATE TABLE "domain_rules" (
	"domain_id" text PRIMARY KEY NOT NULL,
	"rules" jsonb NOT NULL,
	"version" integer NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "domain_rules" ADD CONSTRAINT "domain_rules_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;