ALTER TYPE "public"."dns_record_type" ADD VALUE 'PTR';--> statement-breakpoint
ALTER TYPE "public"."dns_record_type" ADD VALUE 'SSHFP';--> statement-breakpoint
ALTER TYPE "public"."dns_record_type" ADD VALUE 'TLSA';--> statement-breakpoint
ALTER TYPE "public"."dns_record_type" ADD VALUE 'SVCB';--> statement-breakpoint
ALTER TYPE "public"."dns_record_type" ADD VALUE 'HTTPS';--> statement-breakpoint
ALTER TYPE "public"."dns_record_type" ADD VALUE 'NAPTR';