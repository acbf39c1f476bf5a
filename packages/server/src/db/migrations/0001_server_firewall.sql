CREATE TABLE "firewalls" (
	"node_id" text PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"is_enabled" boolean DEFAULT false NOT NULL,
	"default_action" text DEFAULT 'DENY' NOT NULL,
	"rules" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"pending_id" text,
	"pending_ruleset" jsonb,
	"pending_by" text,
	"pending_since" timestamp (3) with time zone,
	"pending_applied_at" timestamp (3) with time zone,
	"pending_until" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "firewalls" ADD CONSTRAINT "firewalls_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "firewalls" ADD CONSTRAINT "firewalls_pending_by_users_id_fk" FOREIGN KEY ("pending_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;